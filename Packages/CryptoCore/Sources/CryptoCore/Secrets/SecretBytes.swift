#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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

/// Bytes that must stay secret: a key, a shared secret, a derived key.
///
/// The storage is overwritten when the last copy goes away, copies share it, equality takes the same time wherever the
/// first difference lies, and neither a description nor a mirror shows the content.
public struct SecretBytes: Sendable, ContiguousBytes {
    private let storage: SecretStorage

    /// Copies the bytes; the caller's own copy is the caller's to wipe.
    public init(_ bytes: some ContiguousBytes) {
        storage = unsafe bytes.withUnsafeBytes { source in
            unsafe SecretStorage(count: source.count) { unsafe $0.copyMemory(from: source) }
        }
    }

    /// Lets a closure write the bytes, so that no copy outside the wiped storage ever exists.
    ///
    /// - Parameters:
    ///   - count: The number of bytes; the closure sees them as zeros. A negative count gives none.
    ///   - fill: Writes the bytes. An error that it throws is rethrown, after the storage is wiped.
    public init<Failure: Error>(
        count: Int,
        fillingWith fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        storage = try unsafe SecretStorage(count: max(0, count), fill: fill)
    }

    /// Fresh random bytes.
    public static func random(count: Int, using source: some RandomSource = .system) -> SecretBytes {
        var bytes = source.bytes(max(0, count))
        defer { wipe(&bytes) }
        return SecretBytes(bytes)
    }

    /// The number of bytes.
    public var count: Int { storage.count }

    /// Indicates that it is empty.
    public var isEmpty: Bool { storage.count == 0 }

    /// Lends the bytes to a closure; they must not leave it.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe body(storage.bytes)
    }
}

extension SecretBytes {
    /// Indicates that any byte is not zero, in a time that depends only on the length.
    var isNonzero: Bool {
        unsafe withUnsafeBytes { bytes in
            var combined: UInt8 = 0
            for index in bytes.indices { combined |= unsafe bytes[index] }
            return combined != 0
        }
    }
}

extension SecretBytes: Hashable {
    /// Returns `true` if both hold the same bytes, in a time that depends only on the lengths.
    public static func == (left: SecretBytes, right: SecretBytes) -> Bool {
        constantTimeEqual(left, right)
    }

    /// Feeds the length only: a hash of the content would leave the wiped storage.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
    }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The length, never the content.
    public var description: String { "SecretBytes(\(count) bytes)" }

    /// The length, never the content.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Returns `true` if two byte sequences are equal, in a time that depends only on their lengths.
///
/// Sequences of different lengths are unequal at once: lengths of tags, codes and keys are no secrets.
public func constantTimeEqual(_ left: some ContiguousBytes, _ right: some ContiguousBytes) -> Bool {
    unsafe left.withUnsafeBytes { left in
        unsafe right.withUnsafeBytes { right in
            guard left.count == right.count else { return false }
            var difference: UInt8 = 0
            for index in left.indices { difference |= unsafe left[index] ^ right[index] }
            return difference == 0
        }
    }
}
