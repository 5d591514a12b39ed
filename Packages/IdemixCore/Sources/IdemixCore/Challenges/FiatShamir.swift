import CryptoCore

/// The hash that turns a proof's commitments into its challenge.
public enum FiatShamir {
    /// SHA-256, read as an unsigned big-endian integer, of
    /// `SEQUENCE { [BOOLEAN TRUE,] INTEGER k, INTEGER v_1, …, INTEGER v_k }` in DER.
    ///
    /// - Parameters:
    ///   - values: v_1 … v_k, none of them negative. The number k does not count the boolean.
    ///   - kind: The kind of proof; only attribute-based signatures have the boolean.
    public static func hash(_ values: [BigInteger], kind: IdemixChallenge.Kind = .proof) -> BigInteger {
        let mark: [UInt8] =
            switch kind {
            case .proof: []
            case .signature: [0x01, 0x01, 0xff]
            }
        // Wiped, since the numbers of an issuance identify the credential.
        let encoded = DER.wipedSequence(of: mark, [BigInteger(values.count)] + values)
        return BigInteger(bytes: HashAlgorithm.sha256.digest(of: encoded))
    }
}

/// Some of the values of a hash, in their order: a long list is put together of such parts.
package struct FiatShamirPart: Sendable {
    fileprivate var count = 0
    fileprivate var encoded: [UInt8] = []

    /// Starts without values.
    package init() {}

    /// Appends a public value that is not negative.
    package mutating func append(_ value: BigInteger) {
        DER.append(value, to: &encoded)
        count += 1
    }
}

extension FiatShamir {
    /// The hash of the values of all parts together, without a copy of them.
    package static func hash(joining parts: [FiatShamirPart]) -> BigInteger {
        var number: [UInt8] = []
        DER.append(BigInteger(parts.reduce(0) { $0 + $1.count }), to: &number)
        var hasher = HashAlgorithm.Hasher(.sha256)
        hasher.update(DER.sequenceHeader(parts.reduce(number.count) { $0 + $1.encoded.count }) + number)
        for part in parts { hasher.update(part.encoded) }
        return BigInteger(bytes: hasher.finalize())
    }
}

/// The structures of DER that are hashed.
enum DER {
    /// Appends an INTEGER that is not negative: a zero byte in front where the top bit is set.
    static func append(_ value: BigInteger, to output: inout [UInt8]) {
        var content = value.bytes
        if content.first.map({ $0 >= 0x80 }) ?? true { content.insert(0, at: 0) }
        output.append(0x02)
        appendLength(content.count, to: &output)
        output += content
    }

    /// A SEQUENCE around what is already encoded.
    static func sequence(_ content: [UInt8]) -> [UInt8] { element(0x30, content) }

    /// The tag and the length of a SEQUENCE.
    static func sequenceHeader(_ length: Int) -> [UInt8] {
        var header: [UInt8] = [0x30]
        appendLength(length, to: &header)
        return header
    }

    /// An OCTET STRING.
    static func octetString(_ content: [UInt8]) -> [UInt8] { element(0x04, content) }

    /// A SEQUENCE of what is already encoded and of INTEGERs that are not negative, in storage that is wiped.
    static func wipedSequence(of encoded: [UInt8], _ integers: [BigInteger]) -> SecretBytes {
        let sizes = integers.map { $0.bitCount / 8 + 1 }
        var headers: [[UInt8]] = []
        for size in sizes {
            var header: [UInt8] = [0x02]
            appendLength(size, to: &header)
            headers.append(header)
        }
        var start: [UInt8] = [0x30]
        appendLength(zip(headers, sizes).reduce(encoded.count) { $0 + $1.0.count + $1.1 }, to: &start)
        start += encoded
        let count = zip(headers, sizes).reduce(start.count) { $0 + $1.0.count + $1.1 }
        return unsafe SecretBytes(count: count) { buffer in
            var output = unsafe buffer
            func write(_ bytes: UnsafeRawBufferPointer) {
                unsafe UnsafeMutableRawBufferPointer(rebasing: output[..<bytes.count]).copyMemory(from: bytes)
                unsafe output = UnsafeMutableRawBufferPointer(rebasing: output[bytes.count...])
            }
            unsafe start.withUnsafeBytes { unsafe write($0) }
            for ((integer, size), header) in zip(zip(integers, sizes), headers) {
                unsafe header.withUnsafeBytes { unsafe write($0) }
                unsafe integer.secretBytes(paddedTo: size).withUnsafeBytes { unsafe write($0) }
            }
        }
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        var output = [tag]
        appendLength(content.count, to: &output)
        return output + content
    }

    private static func appendLength(_ length: Int, to output: inout [UInt8]) {
        guard length >= 0x80 else {
            output.append(UInt8(truncatingIfNeeded: length))
            return
        }
        let bytes = BigInteger(length).bytes
        output.append(0x80 | UInt8(truncatingIfNeeded: bytes.count))
        output += bytes
    }
}
