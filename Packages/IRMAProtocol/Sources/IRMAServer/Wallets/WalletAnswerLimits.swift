import IRMAMessages
import IdemixCore
import JSONKit

/// The bounds of a wallet's answer, which follow from the request that it answers.
///
/// An answer beyond them is refused before its integers are made from their texts, and as far as it can be before it is
/// read.
struct WalletAnswerLimits {
    /// The largest number of proofs.
    let proofs: Int
    /// The largest number of places and of lists of them.
    let places: Int
    /// The largest number of bytes.
    let size: Int
    /// The limits of the JSON text.
    let json: JSONLimits
    /// The largest number of bytes of a signed message.
    private let message: Int
    /// The largest number of bytes of the keys of SD-JWT copies.
    private let keys: Int

    init(_ request: SessionRequest) {
        proofs = request.disclose.usableCredentialCount + request.credentials.count
        let attributes = request.disclose.disjunctions.reduce(0) { count, disjunction in
            count + 1 + disjunction.choices.reduce(0) { max($0, $1.attributes.count) }
        }
        // An honest wallet names each requested attribute once.
        places = 64 + 4 * attributes
        message = (request.message?.utf8.count ?? 0) + Self.otherSize
        keys = request.credentials.reduce(0) { $0 + $1.copyCount } * Self.keySize
        // A character of a text takes at most six bytes.
        size = 2 * Self.otherSize + proofs * Self.proofSize + 6 * message + places * 64 + keys
        json = JSONLimits(
            size: size,
            depth: JSONLimits.irmaMessage.depth,
            values: min(JSONLimits.irmaMessage.values, 1024 + proofs * 2048 + places * 3 + keys / 32),
            stringLength: max(Self.disclosedSize, 6 * message),
            numberLength: BigInteger.maximumJSONDigits
        )
    }

    /// The largest number of bytes of one proof with the disclosed values.
    private static let proofSize = 608 << 10
    /// The largest number of bytes of the disclosed values of one proof, among which may be a picture.
    private static let disclosedSize = 512 << 10
    /// The largest number of bytes of one proof without the disclosed values: those for a key of 4096 bits, non-revocation
    /// and ranges take less than half of it.
    private static let responsesSize = 64 << 10
    /// The largest number of bytes of the key of a copy, on average.
    private static let keySize = 1 << 10
    /// The largest number of bytes of the other members together.
    private static let otherSize = 32 << 10
    /// The largest number of members of an object; no message or proof has more than fifteen.
    private static let memberCount = 64

    /// Refuses an answer with parts that are larger than any honest one.
    ///
    /// - Throws: `limitExceeded` with the place.
    func check(_ answer: JSONValue) throws(IRMAError) {
        guard let object = answer.objectValue else { return }
        try Self.require(object.count <= Self.memberCount, "more than \(Self.memberCount) members", [])
        var (others, keys) = (Self.otherSize, keys + Self.otherSize)
        for (name, value) in object {
            switch name.lowercased() {
            case "proofs", "signature", "combinedproofs":
                for (position, proof) in (value.arrayValue ?? []).prefix(proofs).enumerated() {
                    try Self.check(proof: proof, ["\(name)[\(position)]"])
                }
            case "indices": break
            case "keybinding_pub_keys":
                try Self.require(Self.takes(value, from: &keys), "the keys of copies are too large", [name])
            case "message":
                try Self.require(value.stringValue?.utf8.count ?? 0 <= message, "the message is too long", ["message"])
            default:
                try Self.require(Self.takes(value, from: &others), "members of more than \(Self.otherSize) bytes", [])
            }
        }
    }

    private static func check(proof: JSONValue, _ path: [String]) throws(IRMAError) {
        guard let object = proof.objectValue else { return }
        try require(object.count <= memberCount, "more than \(memberCount) members", path)
        var (responses, disclosed) = (responsesSize, disclosedSize)
        for (name, value) in object {
            let isBounded =
                name.lowercased() == "a_disclosed" ? takes(value, from: &disclosed) : takes(value, from: &responses)
            try require(isBounded, "the member is too large", path + [String(name.prefix(64))])
        }
    }

    private static func require(_ holds: Bool, _ reason: String, _ path: [String]) throws(IRMAError) {
        guard holds else { throw IRMAError(.limitExceeded, reason, path: path) }
    }

    /// Takes the size of a value from what is left, and returns `false` if that does not suffice.
    ///
    /// Nothing is counted beyond it; depth is bounded by the limits of reading.
    private static func takes(_ value: JSONValue, from left: inout Int) -> Bool {
        left -= 8
        switch value {
        case .null, .bool: break
        case .number(let number): left -= number.text.utf8.count
        case .string(let text): left -= text.utf8.count
        case .array(let elements):
            for element in elements where !takes(element, from: &left) { return false }
        case .object(let members):
            for (name, value) in members {
                left -= name.utf8.count
                guard takes(value, from: &left) else { return false }
            }
        }
        return left >= 0
    }
}
