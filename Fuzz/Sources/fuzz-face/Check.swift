@testable import Terminal

/// The planted fault: keys don't wait for what the keys before them have caused.
nonisolated(unsafe) let check = isPlanted ? FaceCheck { face, input in face.act(on: input) } : FaceCheck()
