"""The anthropic SDK: the only file that knows it. Importing this takes over a second.

It sends JSON and gives JSON; what that means is known in `request.py` and `stream.py`.
"""

import contextlib
import ssl
from collections.abc import AsyncGenerator, Generator, Iterator, Mapping
from urllib.parse import urlsplit

import anthropic
import httpx2

from octochat.models.claude.credentials import LOOPBACK, NO_KEY, WRONG_ADDRESS, Credentials
from octochat.models.claude.errors import Failure, explained, no_key, no_stream
from octochat.models.claude.stream import malformed
from octochat.models.port import ModelError
from octochat.models.provider import Lack, ModelLimits

CONNECT_TIMEOUT = 15.0
"""Seconds for a connection to come about."""

_NO_STREAMS = ("application/json", "text/html")
"""What a server or a proxy sends that answers, but not with an answer."""
_SHOWN = 2_000
"""Characters of it that are read."""
_HOPELESS = (
    httpx2.UnsupportedProtocol,
    httpx2.LocalProtocolError,
    httpx2.InvalidURL,
    ssl.SSLCertVerificationError,
    UnicodeError,
)
"""Why no connection comes about, however often it is tried."""


class Api:
    """Connections to the Messages API, kept open between calls."""

    def __init__(self, environment: Mapping[str, str], timeout: float) -> None:
        """`timeout`: seconds without a byte after which a call has failed.

        Raises:
            ModelError: there is nothing to log in with, or it can't be sent (`auth`).
        """
        self._credentials = said = Credentials.of(environment)
        if (lack := said.lack) and lack is not NO_KEY:  # the SDK may know of another login
            raise _lacking(lack)
        key = said.key or None
        bearer = said.token or None
        if key is None and bearer is None and urlsplit(said.url).hostname in LOOPBACK:
            key = "none"  # a server on this machine needs none, but the SDK does
        patience = httpx2.Timeout(timeout, connect=CONNECT_TIMEOUT)
        try:
            self._client = anthropic.AsyncAnthropic(
                api_key=key,
                auth_token=bearer if key is None else None,
                base_url=said.url or None,
                timeout=patience,
                max_retries=0,
                # The key goes in a header that would follow to another host.
                http_client=anthropic.DefaultAsyncHttpxClient(
                    follow_redirects=False, timeout=patience
                ),
            )
        except anthropic.CredentialsError as error:
            raise no_key(self._credentials.hidden(str(error))) from error
        except httpx2.InvalidURL as error:  # it knows more of host names than is asked before
            raise _lacking(WRONG_ADDRESS) from error

    async def events(
        self, sent: Mapping[str, object], betas: tuple[str, ...]
    ) -> AsyncGenerator[object, None]:
        """Post a body for `/v1/messages`, give the events of the stream as plain JSON.

        They are not parsed into the SDK's types: a block that those don't have has to survive.

        Raises:
            ModelError: the call failed, or the stream broke off in a way that can be seen here.
        """
        with self._failures(str(sent["model"])):
            stream = await self._client.post(
                "/v1/messages",
                cast_to=object,
                body=sent,
                options={"headers": {"anthropic-beta": ",".join(betas)}} if betas else {},
                stream=True,
                stream_cls=anthropic.AsyncStream[object],
            )
            async with stream:
                await self._check_stream(stream.response)
                async for event in stream:
                    yield event

    async def _check_stream(self, response: httpx2.Response) -> None:
        """See that what comes is a stream, or at least nothing that is known to be none.

        Raises:
            ModelError: it is not, and will not be.
        """
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind in _NO_STREAMS:
            said = await anext(response.aiter_text(_SHOWN), "")
            raise no_stream(kind, self._credentials.hidden(said), self._address)

    async def limits(self, model: str) -> ModelLimits:
        """What the API says of a model.

        Raises:
            ModelError: it says nothing.
        """
        with self._failures(model):
            found = await self._client.models.retrieve(model)
        return ModelLimits(found.max_input_tokens, found.max_tokens)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    @contextlib.contextmanager
    def _failures(self, model: str) -> Generator[None]:
        """Whatever the SDK and the network raise, as a `ModelError`."""
        try:
            yield
        except anthropic.APIStatusError as error:
            raise explained(self._failure(error), model) from error
        except (anthropic.APITimeoutError, httpx2.TimeoutException) as error:
            raise ModelError(
                "timeout", "The API did not answer in time.", detail=self._cause(error)
            ) from error
        except (anthropic.APIConnectionError, httpx2.ConnectError) as error:
            raise self._unreachable(error) from error
        except httpx2.HTTPError as error:
            raise malformed(f"the connection broke: {self._cause(error)}") from error
        except anthropic.CredentialsError as error:
            raise no_key(self._credentials.hidden(str(error))) from error
        except TypeError as error:
            if "authentication method" in str(error):
                raise no_key(self._credentials.hidden(str(error))) from error
            raise
        except ValueError as error:
            raise malformed(f"malformed event: {error}") from error

    @property
    def _address(self) -> str:
        """Where the server is, without a user name or password."""
        url = self._client.base_url
        return f"{url.scheme}://{url.netloc.decode()}"

    def _failure(self, error: anthropic.APIStatusError) -> Failure:
        return Failure(
            status=error.status_code,
            type=error.type or "",
            code=error.error_code or "",
            message=self._credentials.hidden(error.api_message or str(error.body or "")),
            headers=error.response.headers,
            url=self._address,
        )

    def _unreachable(self, error: Exception) -> ModelError:
        return ModelError(
            "invalid" if any(isinstance(each, _HOPELESS) for each in _causes(error)) else "network",
            f"No connection to {self._address} ({self._cause(error)}). Check the network and"
            " ANTHROPIC_BASE_URL, or start with --model offline.",
            detail=self._credentials.hidden(repr(error.__cause__ or error)),
        )

    def _cause(self, error: Exception) -> str:
        """The words of the innermost error: the SDK's own say little, and some quote the key."""
        *_, inner = _causes(error)
        return self._credentials.hidden(str(inner) or type(inner).__name__).rstrip(".")


def _lacking(lack: Lack) -> ModelError:
    return ModelError("auth", f"{lack.what}. {lack.remedy}")


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error, what it came of, and so on to where it all began."""
    while error is not None:
        yield error
        error = error.__cause__
