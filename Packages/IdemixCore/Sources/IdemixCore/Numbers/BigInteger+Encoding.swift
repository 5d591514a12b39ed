import CIdemixCoreGMP

extension BigInteger {
    /// The number whose unsigned big-endian bytes these are; leading zeros do no harm, no bytes mean zero.
    public init(bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        unsafe self.init { number in
            unsafe bytes.withUnsafeBytes { unsafe __gmpz_import(number, $0.count, 1, 1, 1, 0, $0.baseAddress) }
        }
    }

    /// The unsigned big-endian bytes of the absolute value, without leading zeros; zero has none.
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

    /// The number that decimal text stands for: digits, with one minus sign in front at most.
    ///
    /// The work grows with the square of the length; a reader of untrusted text passes a limit.
    ///
    /// - Parameters:
    ///   - decimal: The text; nil comes of one with anything but ASCII digits after the sign, or with no digits.
    ///   - maximumDigits: How many digits the text may have.
    public init?(decimal: some StringProtocol, maximumDigits: Int = 10_000) {
        let text = Array(decimal.utf8)
        let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.count <= maximumDigits,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        let terminated = text.map { CChar(bitPattern: $0) } + [0]
        unsafe self.init { number in
            unsafe terminated.withUnsafeBufferPointer { _ = unsafe __gmpz_set_str(number, $0.baseAddress, 10) }
        }
    }

    /// The number in decimal.
    public var decimal: String {
        unsafe storage.withNumber { number in
            // GMP says: one more than sizeinbase for the sign, one for the end.
            var text = [CChar](repeating: 0, count: unsafe __gmpz_sizeinbase(number, 10) + 2)
            _ = unsafe text.withUnsafeMutableBufferPointer { unsafe __gmpz_get_str($0.baseAddress, 10, number) }
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
