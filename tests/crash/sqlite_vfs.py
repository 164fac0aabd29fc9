"""A SQLite VFS over ctypes that keeps its files on a ``RecordingDisk``; the stdlib's ``sqlite3`` uses it unchanged.

It behaves like the unix VFS where it matters for power loss: the folder is synced with a new log's first sync, sectors
are 4 KiB, and ``psow`` is what the URI says. Needs a Python whose ``sqlite3`` uses a shared SQLite library, which Debian,
Raspberry Pi OS and pyenv have. Not responsible for locks between processes: one connection at a time.
"""

import ctypes
import errno
import random
import sqlite3
from collections.abc import Callable
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_double, c_int, c_int64, c_void_p
from pathlib import Path
from typing import Any

from firmware.errors import UserError
from tests.crash.disk import DiskFailure, RecordingDisk

OK, IOERR, NOTFOUND, FULL, CANTOPEN = 0, 10, 12, 13, 14
IOERR_READ, IOERR_SHORT_READ, IOERR_WRITE, IOERR_FSYNC, IOERR_TRUNCATE = 266, 522, 778, 1034, 1546
IOERR_DELETE, IOERR_DELETE_NOENT = 2570, 5898
OPEN_CREATE, OPEN_DELETE_ON_CLOSE, OPEN_MAIN_DB = 0x4, 0x8, 0x100
OPEN_LOGS = 0x800 | 0x80000
"""Rollback journal or write-ahead log."""
POWERSAFE_OVERWRITE = 0x1000
SECTOR_BYTES = 4096
TESTCTRL_PRNG_SEED = 28

_POINTER_INT = POINTER(c_int)


class _Methods(ctypes.Structure):
    _fields_ = [
        ("iVersion", c_int),
        ("xClose", CFUNCTYPE(c_int, c_void_p)),
        ("xRead", CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)),
        ("xWrite", CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)),
        ("xTruncate", CFUNCTYPE(c_int, c_void_p, c_int64)),
        ("xSync", CFUNCTYPE(c_int, c_void_p, c_int)),
        ("xFileSize", CFUNCTYPE(c_int, c_void_p, POINTER(c_int64))),
        ("xLock", CFUNCTYPE(c_int, c_void_p, c_int)),
        ("xUnlock", CFUNCTYPE(c_int, c_void_p, c_int)),
        ("xCheckReservedLock", CFUNCTYPE(c_int, c_void_p, _POINTER_INT)),
        ("xFileControl", CFUNCTYPE(c_int, c_void_p, c_int, c_void_p)),
        ("xSectorSize", CFUNCTYPE(c_int, c_void_p)),
        ("xDeviceCharacteristics", CFUNCTYPE(c_int, c_void_p)),
        ("xShmMap", CFUNCTYPE(c_int, c_void_p, c_int, c_int, c_int, POINTER(c_void_p))),
        ("xShmLock", CFUNCTYPE(c_int, c_void_p, c_int, c_int, c_int)),
        ("xShmBarrier", CFUNCTYPE(None, c_void_p)),
        ("xShmUnmap", CFUNCTYPE(c_int, c_void_p, c_int)),
    ]


class _File(ctypes.Structure):
    _fields_ = [("pMethods", POINTER(_Methods)), ("handle", c_int64)]


class _Vfs(ctypes.Structure):
    pass


_POINTER_VFS = POINTER(_Vfs)
_Vfs._fields_ = [
    ("iVersion", c_int),
    ("szOsFile", c_int),
    ("mxPathname", c_int),
    ("pNext", c_void_p),
    ("zName", c_char_p),
    ("pAppData", c_void_p),
    ("xOpen", CFUNCTYPE(c_int, _POINTER_VFS, c_void_p, c_void_p, c_int, _POINTER_INT)),
    ("xDelete", CFUNCTYPE(c_int, _POINTER_VFS, c_char_p, c_int)),
    ("xAccess", CFUNCTYPE(c_int, _POINTER_VFS, c_char_p, c_int, _POINTER_INT)),
    ("xFullPathname", CFUNCTYPE(c_int, _POINTER_VFS, c_char_p, c_int, c_void_p)),
    ("xDlOpen", c_void_p),
    ("xDlError", c_void_p),
    ("xDlSym", c_void_p),
    ("xDlClose", c_void_p),
    ("xRandomness", CFUNCTYPE(c_int, _POINTER_VFS, c_int, c_void_p)),
    ("xSleep", CFUNCTYPE(c_int, _POINTER_VFS, c_int)),
    ("xCurrentTime", CFUNCTYPE(c_int, _POINTER_VFS, POINTER(c_double))),
    ("xGetLastError", CFUNCTYPE(c_int, _POINTER_VFS, c_int, c_void_p)),
]


class _Open:
    """An open file: its inode, whether it is a temporary one, and whether its folder must be synced with it."""

    def __init__(self, path: str, inode: int, flags: int, *, is_new_log: bool, is_powersafe: bool) -> None:
        self.path, self.inode, self.flags = path, inode, flags
        self.is_new_log, self.is_powersafe = is_new_log, is_powersafe


class RecordingVfs:
    """A registered VFS. ``disk`` may be exchanged while no connection is open; ``close`` unregisters it."""

    def __init__(self, name: str, disk: RecordingDisk, seed: int = 1) -> None:
        """Register under a name.

        Raises:
            UserError: this Python's SQLite can't be reached.
        """
        self.name = name
        self.ignores_psow = False
        """Whether it claims powersafe overwrite whatever the URI says: a planted fault."""
        self.error: BaseException | None = None
        """What went wrong inside a callback, where Python has nobody to tell."""
        self._library = _shared_library()
        self._seed = seed
        self._random = random.Random(seed)
        self._open: dict[int, _Open] = {}
        self._handle = 0
        self._shared: dict[tuple[int, int], Any] = {}
        self._disk = disk
        self._scratch = RecordingDisk()
        self._methods = self._make_methods()
        self._vfs = self._make_vfs(name)
        if self._library.sqlite3_vfs_register(ctypes.byref(self._vfs), 0) != OK:
            raise UserError("crash tests: SQLite refused the recording VFS")

    @property
    def disk(self) -> RecordingDisk:
        """The disk on which the files lie."""
        return self._disk

    @disk.setter
    def disk(self, disk: RecordingDisk) -> None:
        """Put another disk in; the memory shared by connections is gone, as after a power cut.

        Randomness begins anew as well, so that equal sessions leave equal logs.
        """
        self._disk = disk
        self._random = random.Random(self._seed)
        self._library.sqlite3_test_control(TESTCTRL_PRNG_SEED, self._seed, None)
        self._open.clear()
        self._shared.clear()

    def close(self) -> None:
        """Unregister; no connection may be open."""
        self._library.sqlite3_vfs_unregister(ctypes.byref(self._vfs))

    # --- files --------------------------------------------------------------------------------------------------------

    def _make_methods(self) -> _Methods:
        methods = _Methods()
        methods.iVersion = 2
        types = {field[0]: field[1] for field in _Methods._fields_}
        callbacks: dict[str, Callable[..., int | None]] = {
            "xClose": self._close,
            "xRead": self._read,
            "xWrite": self._write,
            "xTruncate": self._truncate,
            "xSync": self._sync,
            "xFileSize": self._file_size,
            "xLock": lambda *_: OK,
            "xUnlock": lambda *_: OK,
            "xCheckReservedLock": self._check_reserved_lock,
            "xFileControl": lambda *_: NOTFOUND,
            "xSectorSize": lambda _: SECTOR_BYTES,
            "xDeviceCharacteristics": self._device_characteristics,
            "xShmMap": self._shm_map,
            "xShmLock": lambda *_: OK,
            "xShmBarrier": lambda _: None,
            "xShmUnmap": self._shm_unmap,
        }
        for field, callback in callbacks.items():
            setattr(methods, field, types[field](self._guarded(callback)))
        return methods

    def _guarded(self, callback: Callable[..., int | None]) -> Callable[..., int | None]:
        def guarded(*arguments: Any) -> int | None:
            try:
                return callback(*arguments)
            except BaseException as error:  # an exception can't pass through SQLite
                self.error = error
                return IOERR

        return guarded

    def _file(self, pointer: int) -> _Open:
        return self._open[ctypes.cast(pointer, POINTER(_File)).contents.handle]

    def _disk_of(self, file: _Open) -> RecordingDisk:
        return self._scratch if file.flags & OPEN_DELETE_ON_CLOSE else self._disk

    def _close(self, pointer: int) -> int:
        self._open.pop(ctypes.cast(pointer, POINTER(_File)).contents.handle, None)
        return OK

    def _read(self, pointer: int, buffer: int, amount: int, offset: int) -> int:
        file = self._file(pointer)
        data = bytes(self._disk_of(file).contents[file.inode][offset : offset + amount])
        ctypes.memmove(buffer, data, len(data))
        if len(data) < amount:
            ctypes.memset(buffer + len(data), 0, amount - len(data))
            return IOERR_SHORT_READ
        return OK

    def _write(self, pointer: int, buffer: int, amount: int, offset: int) -> int:
        file = self._file(pointer)
        try:
            self._disk_of(file).write(file.inode, offset, ctypes.string_at(buffer, amount))
        except DiskFailure as error:
            return FULL if error.errno == errno.ENOSPC else IOERR_WRITE
        return OK

    def _truncate(self, pointer: int, size: int) -> int:
        file = self._file(pointer)
        try:
            self._disk_of(file).truncate(file.inode, size)
        except DiskFailure:
            return IOERR_TRUNCATE
        return OK

    def _sync(self, pointer: int, _: int) -> int:
        file = self._file(pointer)
        disk = self._disk_of(file)
        try:
            disk.sync(file.inode)
            if file.is_new_log:
                disk.sync_folder(str(Path(file.path).parent))
                file.is_new_log = False
        except DiskFailure:
            return IOERR_FSYNC
        return OK

    def _file_size(self, pointer: int, out: Any) -> int:
        file = self._file(pointer)
        out[0] = len(self._disk_of(file).contents[file.inode])
        return OK

    def _check_reserved_lock(self, _: int, out: Any) -> int:
        out[0] = 0
        return OK

    def _device_characteristics(self, pointer: int) -> int:
        return POWERSAFE_OVERWRITE if self._file(pointer).is_powersafe else 0

    def _shm_map(self, pointer: int, page: int, size: int, extend: int, out: Any) -> int:
        key = (self._file(pointer).inode, page)
        if key not in self._shared:
            if not extend:
                out[0] = None
                return OK
            self._shared[key] = ctypes.create_string_buffer(size)
        out[0] = ctypes.addressof(self._shared[key])
        return OK

    def _shm_unmap(self, pointer: int, delete: int) -> int:
        if delete:
            inode = self._file(pointer).inode
            self._shared = {key: page for key, page in self._shared.items() if key[0] != inode}
        return OK

    # --- names --------------------------------------------------------------------------------------------------------

    def _make_vfs(self, name: str) -> _Vfs:
        vfs = _Vfs()
        vfs.iVersion, vfs.szOsFile, vfs.mxPathname, vfs.zName = 1, ctypes.sizeof(_File), 512, name.encode()
        types = {field[0]: field[1] for field in _Vfs._fields_}
        callbacks: dict[str, Callable[..., int | None]] = {
            "xOpen": self._open_file,
            "xDelete": self._delete,
            "xAccess": self._access,
            "xFullPathname": self._full_pathname,
            "xRandomness": self._randomness,
            "xSleep": lambda _, microseconds: microseconds,
            "xCurrentTime": self._current_time,
            "xGetLastError": lambda *_: OK,
        }
        for field, callback in callbacks.items():
            setattr(vfs, field, types[field](self._guarded(callback)))
        return vfs

    def _open_file(self, _: Any, name: int | None, pointer: int, flags: int, out: Any) -> int:
        file = ctypes.cast(pointer, POINTER(_File)).contents
        file.pMethods = None
        self._handle += 1
        path = ctypes.string_at(name).decode() if name else f"temporary-{self._handle}"
        disk = self._scratch if flags & OPEN_DELETE_ON_CLOSE else self._disk
        is_new = path not in disk.names
        if is_new:
            if not flags & OPEN_CREATE:
                return CANTOPEN
            try:
                disk.create(path)
            except DiskFailure:
                return CANTOPEN
        is_powersafe = bool(flags & OPEN_MAIN_DB) and (
            self.ignores_psow or bool(self._library.sqlite3_uri_boolean(c_void_p(name), b"psow", 1))
        )
        self._open[self._handle] = _Open(
            path,
            disk.names[path],
            flags,
            is_new_log=is_new and bool(flags & OPEN_LOGS),
            is_powersafe=is_powersafe,
        )
        file.handle = self._handle
        file.pMethods = ctypes.pointer(self._methods)
        if out:
            out[0] = flags
        return OK

    def _delete(self, _: Any, name: bytes, sync_folder: int) -> int:
        path = name.decode()
        if path not in self._disk.names:
            return IOERR_DELETE_NOENT
        try:
            self._disk.remove(path)
            if sync_folder:
                self._disk.sync_folder(str(Path(path).parent))
        except DiskFailure:
            return IOERR_DELETE
        return OK

    def _access(self, _: Any, name: bytes, __: int, out: Any) -> int:
        out[0] = int(name.decode() in self._disk.names)
        return OK

    def _full_pathname(self, _: Any, name: bytes, size: int, out: int) -> int:
        if len(name) >= size:
            return CANTOPEN
        ctypes.memmove(out, name + b"\0", len(name) + 1)
        return OK

    def _randomness(self, _: Any, count: int, out: int) -> int:
        ctypes.memmove(out, self._random.randbytes(count), count)
        return count

    def _current_time(self, _: Any, out: Any) -> int:
        out[0] = 2_460_000.5
        return OK


def _shared_library() -> ctypes.CDLL:
    """Return the very SQLite library that the stdlib uses."""
    with Path("/proc/self/maps").open() as maps:
        found = {line.split()[-1] for line in maps if "libsqlite3" in line}
    for path in sorted(found):
        library = ctypes.CDLL(path)
        library.sqlite3_libversion.restype = c_char_p
        if library.sqlite3_libversion().decode() == sqlite3.sqlite_version:
            return library
    raise UserError(
        "crash tests: this Python has SQLite built in, so its writes can't be recorded; use the system's python3"
    )
