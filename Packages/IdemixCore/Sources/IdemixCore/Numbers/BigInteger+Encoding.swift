import CIdemixCoreGMP
public import CryptoCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension BigInteger {
    /// The number whose unsigned big-endian bytes these are; leading zeros do no harm, no bytes mean zero.
    ///
    /// The caller wipes the bytes. For a secret, prefer `SecretBytes`.
    public init(bytes: some Collection<UInt8>) {
        if let number = bytes.withContiguousStorageIfAvailable({ unsafe BigInteger(UnsafeRawBufferPointer($0)) }) {
            self = number
        } else {
            self.init(SecretBytes(copying: bytes))
        }
    }

    /// The number whose unsigned big-endian bytes these are; leading zeros do no harm, no bytes mean zero.
    public init(_ bytes: SecretBytes) {
        self = unsafe bytes.withUnsafeBytes { unsafe BigInteger($0) }
    }

    private init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.init { unsafe __gmpz_import($0, bytes.count, 1, 1, 1, 0, bytes.baseAddress) }
    }

    /// The unsigned big-endian bytes of the absolute value, without leading zeros; zero has none.
    ///
    /// Only for a public number: the bytes are not wiped. Use ``secretBytes(paddedTo:)`` for a secret.
    public var bytes: [UInt8] {
        let count = (bitCount + 7) / 8
        guard count > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            unsafe storage.withNumber { _ = unsafe __gmpz_export(buffer.baseAddress, &written, 1, 1, 1, 0, $0) }
        }
    }

    /// The unsigned big-endian bytes of the absolute value, with zeros in front up to a width.
    public func bytes(paddedTo width: Int) -> [UInt8] {
        let bytes = bytes
        return [UInt8](repeating: 0, count: max(0, width - bytes.count)) + bytes
    }

    /// The unsigned big-endian bytes of the absolute value, with zeros in front up to a width, in storage that is wiped.
    public func secretBytes(paddedTo width: Int = 0) -> SecretBytes {
        let count = (bitCount + 7) / 8
        return unsafe SecretBytes(count: max(width, count)) { buffer in
            guard count > 0 else { return }
            let start = unsafe buffer.baseAddress.map { unsafe $0 + (buffer.count - count) }
            unsafe storage.withNumber { _ = unsafe __gmpz_export(start, nil, 1, 1, 1, 0, $0) }
        }
    }

    /// The number that decimal text stands for: digits, with one minus sign in front at most.
    ///
    /// The work grows with the square of the length; a reader of untrusted text passes a limit.
    ///
    /// - Parameters:
    ///   - decimal: The text; nil comes of one with anything but ASCII digits after the sign, or with no digits.
    ///   - maximumDigits: The largest number of digits.
    public init?(decimal: some StringProtocol, maximumDigits: Int = 10_000) {
        self.init(decimalDigits: decimal.utf8, maximumDigits: maximumDigits)
    }

    /// The number that decimal text stands for.
    ///
    /// Every copy of the text is wiped.
    init?(decimalDigits text: some Collection<UInt8>, maximumDigits: Int) {
        let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.count <= maximumDigits,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        let terminated = SecretBytes(copying: text, terminated: true)
        defer { StackUse.much.wipe() }
        unsafe self.init { number in
            unsafe terminated.withUnsafeBytes {
                _ = unsafe __gmpz_set_str(number, $0.baseAddress?.assumingMemoryBound(to: CChar.self), 10)
            }
        }
    }

    /// The number in decimal.
    ///
    /// Only for a public number: the text is not wiped.
    public var decimal: String {
        unsafe decimalDigits.withUnsafeBytes { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// The number in decimal, followed by one or two zero bytes, in storage that is wiped.
    package var decimalDigits: SecretBytes {
        defer { StackUse.much.wipe() }
        return unsafe storage.withNumber { number in
            // GMP says: one more than sizeinbase for the sign, one for the end.
            unsafe SecretBytes(count: unsafe __gmpz_sizeinbase(number, 10) + 2) { buffer in
                _ = unsafe __gmpz_get_str(buffer.baseAddress?.assumingMemoryBound(to: CChar.self), 10, number)
            }
        }
    }
}

extension SecretBytes {
    /// Copies the bytes of any collection, and appends a zero if `terminated` is true.
    init(copying bytes: some Collection<UInt8>, terminated: Bool = false) {
        unsafe self.init(count: bytes.count + (terminated ? 1 : 0)) { buffer in
            var position = 0
            for byte in bytes {
                unsafe buffer[position] = byte
                position += 1
            }
        }
    }
}
