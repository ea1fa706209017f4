/**
 * Imported before everything else: no file that a command, its threads or its child processes make may be read by another user
 * of this machine. SQLite makes `-wal` and `-shm` with the umask alone.
 */
process.umask(0o077);
