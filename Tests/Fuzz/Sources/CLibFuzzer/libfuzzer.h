// libFuzzer's entry point for programs that keep their own main.

#ifndef FUZZ_LIBFUZZER_H
#define FUZZ_LIBFUZZER_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));

#endif
