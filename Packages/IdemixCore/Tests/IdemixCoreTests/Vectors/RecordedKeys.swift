import Foundation
import IdemixCore
import TestSupport
import Testing

/// The keys and descriptions that recorded sessions refer to.
enum RecordedKeys {
    static let set = VectorSet("irma")

    /// The public key that a session names, relative to the set's folder.
    static func publicKey(_ reference: JSON) throws -> IdemixIssuerPublicKey {
        let path = try #require(reference["file"].text)
        let file = try #require(set.file(path), "the key \(path) is missing")
        return try IdemixIssuerPublicKey(xml: file.bytes())
    }

    /// The base index of a credential type's revocation attribute, from its description.
    static func revocationIndex(credentialType: String) throws -> Int? {
        let parts = credentialType.split(separator: ".").map(String.init)
        let path = "irma_configuration/\(parts[0])/\(parts[1])/Issues/\(parts[2])/description.xml"
        let description = String(decoding: try #require(set.file(path)).bytes(), as: UTF8.self)
        let attributes = description.components(separatedBy: "<Attribute ").dropFirst()
        return attributes.firstIndex { $0.hasPrefix("revocation=\"true\"") }.map { $0 + 1 }
    }

    /// All public keys of the set, for messages that do not name theirs.
    static func allPublicKeys() throws -> [IdemixIssuerPublicKey] {
        try set.files(withExtension: "xml").compactMap { file in
            let bytes = try file.bytes()
            guard String(decoding: bytes, as: UTF8.self).contains("<IssuerPublicKey xmlns") else { return nil }
            return try IdemixIssuerPublicKey(xml: bytes)
        }
    }
}
