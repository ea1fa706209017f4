/**
 * Imported before everything else, so that other users of this machine cannot read files that a command, its threads or
 * its child processes create. Only the umask protects the `-wal` and `-shm` files that SQLite creates.
 */
process.umask(0o077);
