import Glibc

/// Whether the target shall have a fault in it, which the fuzzer then has to find.
let isPlanted = getenv("FUZZ_PLANT") != nil
