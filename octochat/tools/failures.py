"""Words for what goes wrong between a tool and the file system."""

import errno

_WORDS = {
    errno.ENOENT: "no such file or folder",
    errno.ENOTDIR: "a part of this path is a file, not a folder",
    errno.EISDIR: "is a folder, not a file",
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.EEXIST: "exists already",
    errno.ELOOP: "a part of this path became a symbolic link in the meantime",
    errno.ENOSPC: "the disk is full: free some space, then try again",
    errno.EDQUOT: "the disk quota is used up: free some space, then try again",
    errno.EROFS: "the file system is read-only",
    errno.ENAMETOOLONG: "the name is too long",
    errno.EFBIG: "the file would be too large",
}


def reason(error: OSError) -> str:
    """Why it failed, in the same words on every platform."""
    words = _WORDS.get(error.errno or 0)
    return words or (error.strerror or "input/output error").lower()
