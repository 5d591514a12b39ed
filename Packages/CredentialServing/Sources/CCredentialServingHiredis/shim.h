// hiredis' reader and formatter; its blocking connections are not used.

#ifndef CREDENTIALSERVING_HIREDIS_SHIM_H
#define CREDENTIALSERVING_HIREDIS_SHIM_H

#include <hiredis/hiredis.h>
#include <hiredis/read.h>

#endif
