#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ContiguousBytes {
    /// Lends the bytes to a closure and keeps the type of what it throws, which `withUnsafeBytes` loses.
    func lend<Value>(
        to body: (UnsafeRawBufferPointer) throws(CryptoError) -> Value
    ) throws(CryptoError) -> Value {
        let outcome: Result<Value, CryptoError> = unsafe withUnsafeBytes { bytes in
            do throws(CryptoError) {
                return .success(try unsafe body(bytes))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    /// The number of bytes.
    var byteCount: Int {
        unsafe withUnsafeBytes { $0.count }
    }
}

extension FixedWidthInteger {
    /// The bytes of the number, most significant first: I2OSP of RFC 8017 in the type's own width.
    var bigEndianBytes: [UInt8] {
        (0..<(Self.bitWidth / 8)).reversed().map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
    }
}
