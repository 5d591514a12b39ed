/// A DID with the fragment that names one of its keys (Decentralized Identifiers 1.0, section 3).
struct DIDURL {
    /// The DID, without the fragment.
    let did: String
    /// The name of the method, such as `web`.
    let method: String
    /// The method-specific identifier.
    let identifier: String
    /// The fragment after `#`, or nil.
    let fragment: String?

    /// The longest text that is read: enough for a key in a DID.
    static let maximumLength = 8192

    /// Reads a DID URL without path and query.
    ///
    /// - Throws: ``SDJWTError/Code/invalidDID``.
    init(_ text: String) throws(SDJWTError) {
        guard text.utf8.count <= Self.maximumLength else {
            throw Self.invalid("it is longer than \(Self.maximumLength)")
        }
        let halves = text.utf8.split(separator: UInt8(ascii: "#"), maxSplits: 1, omittingEmptySubsequences: false)
        did = String(Substring(halves[0]))
        fragment = halves.count == 2 ? String(Substring(halves[1])) : nil
        let parts = halves[0].split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].elementsEqual("did".utf8), !parts[1].isEmpty,
            parts[1].allSatisfy(Self.isMethodCharacter)
        else { throw Self.invalid("it does not begin with did: and a method") }
        method = String(Substring(parts[1]))
        identifier = String(Substring(parts[2]))
        guard Self.isIdentifier(Array(parts[2])) else {
            throw Self.invalid("what follows the method is no identifier")
        }
    }

    /// The refusal of a DID.
    static func invalid(_ message: String, cause: (any Error)? = nil) -> SDJWTError {
        SDJWTError(.invalidDID, message, path: ["did"], cause: cause)
    }

    /// The refusal of a fragment that names no key of the DID.
    func noKey(_ message: String) -> SDJWTError {
        SDJWTError(.verificationMethodNotFound, message, path: ["did"])
    }

    private static func isMethodCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }

    /// Letters, digits, `.`, `-`, `_`, `%XX` and colons, the last of which is followed by something.
    private static func isIdentifier(_ text: [UInt8]) -> Bool {
        guard let last = text.last, last != UInt8(ascii: ":") else { return false }
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "%") {
                guard index + 2 < text.count, PercentEncoding.value(text[index + 1], text[index + 2]) != nil else {
                    return false
                }
                index += 3
            } else {
                guard text[index] == UInt8(ascii: ":") || PercentEncoding.isPlain(text[index]) else { return false }
                index += 1
            }
        }
        return true
    }
}
