// How much memory there is in use.

#include "Floor.h"

#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

int64_t floor_heapBytes(void) {
  struct mallinfo2 info = mallinfo2();
  return (int64_t)(info.uordblks + info.hblkhd);
}

int64_t floor_residentBytes(void) {
  long total = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL) return -1;
  if (fscanf(file, "%ld %ld", &total, &resident) != 2) resident = -1;
  fclose(file);
  return resident * sysconf(_SC_PAGESIZE);
}
