import Glibc

/// Nanoseconds that this thread has run: the other users of a shared machine are not in it.
func threadTime() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Nanoseconds of the processor that programs took which this one has run and which have ended.
func programTime() -> Int {
  var usage = rusage()
  getrusage(RUSAGE_CHILDREN.rawValue, &usage)
  let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
  return (seconds * 1_000_000 + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000
}
