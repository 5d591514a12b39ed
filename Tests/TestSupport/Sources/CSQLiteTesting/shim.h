// The system's SQLite, whose system calls tests replace.

#ifndef SQLITE_TESTING_SHIM_H
#define SQLITE_TESTING_SHIM_H

#include <sqlite3.h>

#endif
