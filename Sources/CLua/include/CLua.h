#ifndef CLUA_H
#define CLUA_H
#include <stdint.h>
int32_t clua_probe(void);
#endif
