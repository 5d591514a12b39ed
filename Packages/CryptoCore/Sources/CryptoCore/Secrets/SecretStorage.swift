/// The memory behind ``SecretBytes``: allocated once, never moved, wiped before it is freed.
///
/// `@unchecked Sendable`: the memory is written during `init` only and read-only afterwards.
@safe
final class SecretStorage: @unchecked Sendable {
    private let memory: UnsafeMutableRawBufferPointer

    init<Failure: Error>(
        count: Int,
        fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        unsafe memory = .allocate(byteCount: count, alignment: MemoryLayout<UInt64>.alignment)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
        try unsafe fill(memory)
    }

    deinit {
        unsafe wipe(memory)
        unsafe memory.deallocate()
    }

    var count: Int { unsafe memory.count }

    var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(memory) }
}
