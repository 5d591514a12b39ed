import CPKCS11
import Credentials

/// A P-256 key pair on a token.
struct TokenKey: Sendable {
    /// The session's handle of the private key.
    let handle: CK_OBJECT_HANDLE
    /// The identifier that both parts of the pair have (`CKA_ID`).
    let id: [UInt8]
    let publicKey: PublicKey
}

/// The name of a key pair on a token.
enum TokenKeyName: Sendable, CustomStringConvertible {
    /// The label (`CKA_LABEL`), which several keys may have.
    case label(String)
    /// The identifier (`CKA_ID`).
    case id([UInt8])

    var description: String {
        switch self {
        case .label(let label): "label \(label)"
        case .id(let id): "id \(Self.hex(id))"
        }
    }

    /// The name that a flag of the command line has; nil for an identifier that is not hexadecimal.
    init?(flag: String, value: String) {
        switch flag {
        case "--key-label": self = .label(value)
        case "--key-id":
            let digits = Array(value.utf8)
            guard !digits.isEmpty, digits.count % 2 == 0 else { return nil }
            var id: [UInt8] = []
            for start in stride(from: 0, to: digits.count, by: 2) {
                let pair = String(decoding: digits[start..<start + 2], as: UTF8.self)
                guard pair.allSatisfy(\.isHexDigit), let byte = UInt8(pair, radix: 16) else { return nil }
                id.append(byte)
            }
            self = .id(id)
        default: return nil
        }
    }

    /// The bytes in hexadecimal.
    static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// The reason that a key is not found on a token.
enum TokenKeyError: Error, CustomStringConvertible {
    case notFound(TokenKeyName)
    case ambiguous(TokenKeyName)

    var description: String {
        switch self {
        case .notFound(let name): "the token has no P-256 key with the \(name)"
        case .ambiguous(let name): "the token has several keys with the \(name)"
        }
    }
}
