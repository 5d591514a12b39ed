#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Overwrites memory with zeros in a way that the compiler may not leave out.
func wipe(_ memory: UnsafeMutableRawBufferPointer) {
    guard let start = memory.baseAddress, memory.count > 0 else { return }
    #if canImport(Darwin)
    unsafe memset_s(start, memory.count, 0, memory.count)
    #else
    unsafe explicit_bzero(start, memory.count)
    #endif
}

/// Overwrites an array's elements with zeros; where the array shares its storage, the other copies stay.
///
/// For bytes that were secret on their way into or out of ``SecretBytes``, such as the text of an encoded key.
public func wipe(_ bytes: inout [UInt8]) {
    unsafe bytes.withUnsafeMutableBytes { unsafe wipe($0) }
}
