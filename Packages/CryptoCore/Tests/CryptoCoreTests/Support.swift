import CryptoCore
import Testing

/// Expects a ``CryptoError`` with a code.
func expect(
    _ code: CryptoError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    when body: () throws -> Void
) {
    let error = #expect(throws: CryptoError.self, sourceLocation: sourceLocation) { try body() }
    #expect(error?.code == code, sourceLocation: sourceLocation)
}

extension [UInt8] {
    /// The bytes with one bit turned over; bits count from the least significant of the first byte.
    func flipping(_ bit: Int) -> [UInt8] {
        var bytes = self
        bytes[bit / 8] ^= 1 << (bit % 8)
        return bytes
    }
}
