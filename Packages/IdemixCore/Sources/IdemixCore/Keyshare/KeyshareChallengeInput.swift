import CBORKit
import CryptoCore

/// A user's message to the keyshare server about one proof of a list, from which the server computes the challenge
/// itself.
public struct KeyshareChallengeInput: Hashable, Sendable {
    /// The issuer's key, for proofs that the server takes part in.
    public let key: KeyshareKeyIdentifier?
    /// The contributions of the user's proof to the challenge.
    public let contributions: IdemixProofContributions

    /// Describes a proof.
    public init(key: KeyshareKeyIdentifier?, contributions: IdemixProofContributions) {
        self.key = key
        self.contributions = contributions
    }

    /// h_W: the SHA-256 of the CBOR array of all inputs, which the user commits to before it sees the server's
    /// commitments.
    public static func hash(_ inputs: [KeyshareChallengeInput]) -> [UInt8] {
        var writer = CBORWriter()
        writer.beginArray(count: inputs.count)
        for input in inputs { input.write(to: &writer) }
        return HashAlgorithm.sha256.digest(of: writer.finish())
    }

    private func write(to writer: inout CBORWriter) {
        writer.beginMap(count: 2 + (key == nil ? 0 : 1) + (contributions.others.isEmpty ? 0 : 1))
        if let key {
            writer.write(text: "key")
            writer.beginMap(count: 2)
            writer.write(text: "issuer")
            writer.write(text: key.issuer)
            writer.write(text: "counter")
            writer.write(integer: key.counter)
        }
        writer.write(text: "val")
        writer.write(bytes: contributions.value.bytes)
        writer.write(text: "comm")
        writer.write(bytes: contributions.commitment.bytes)
        guard !contributions.others.isEmpty else { return }
        writer.write(text: "otherComms")
        writer.beginArray(count: contributions.others.count)
        for other in contributions.others { writer.write(bytes: other.bytes) }
    }
}

/// Names an issuer's key in the keyshare protocol.
public struct KeyshareKeyIdentifier: Hashable, Sendable, CustomStringConvertible {
    /// The issuer: `scheme.issuer`.
    public let issuer: String
    /// The counter of the key.
    public let counter: UInt

    /// Names a key.
    public init(issuer: String, counter: UInt) {
        self.issuer = issuer
        self.counter = counter
    }

    /// Reads the text `scheme.issuer-counter`; nil for any other text.
    public init?(_ text: String) {
        guard let hyphen = text.lastIndex(of: "-") else { return nil }
        let digits = text[text.index(after: hyphen)...]
        guard hyphen > text.startIndex, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let counter = UInt(digits)
        else { return nil }
        self.init(issuer: String(text[..<hyphen]), counter: counter)
    }

    /// The text `scheme.issuer-counter`.
    public var description: String { "\(issuer)-\(counter)" }
}
