#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(WASILibc)
import WASILibc
#elseif canImport(ucrt)
import ucrt
#endif

/// Memory straight from the C library: it grows without being copied where it is large, and costs half as much as that of
/// `UnsafeMutablePointer.allocate`, which asks for an alignment even where every block has it.
enum HeapMemory {
    /// A block of at least one byte, aligned for anything.
    static func allocate(byteCount: Int) -> UnsafeMutableRawPointer {
        unsafe malloc(max(byteCount, 1)) ?? outOfMemory(byteCount)
    }

    /// The block with another size, perhaps elsewhere, its contents kept; a new one for nil.
    static func reallocate(_ block: UnsafeMutableRawPointer?, byteCount: Int) -> UnsafeMutableRawPointer {
        unsafe realloc(block, max(byteCount, 1)) ?? outOfMemory(byteCount)
    }

    /// Gives a block back.
    static func deallocate(_ block: UnsafeMutableRawPointer?) {
        unsafe free(block)
    }

    /// Ends as every allocation of Swift does that cannot be made.
    private static func outOfMemory(_ byteCount: Int) -> UnsafeMutableRawPointer {
        .allocate(byteCount: byteCount, alignment: 16)
    }
}
