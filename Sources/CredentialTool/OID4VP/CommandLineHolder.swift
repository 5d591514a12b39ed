import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import LinkedDataKit
import OID4VPKit

/// The holder whose keys the command line names.
struct CommandLineHolder {
    let keys: [PrivateKey]
    /// The name of the first key; nil for that of a DID that is the key.
    let name: DIDURL?
    /// The suite for linked-data presentations; nil for one that fits the key.
    let suite: LinkedDataProofSuite?

    /// The key that a credential is bound to.
    enum Binding {
        case key(PublicKey)
        case confirmation(JWTConfirmation)
    }

    /// Returns `true` if one of the keys is the one that a credential is bound to.
    ///
    /// A name that is no DID that is the key itself may stand for any key.
    func hasKey(of binding: Binding) -> Bool {
        switch binding {
        case .key(let key): has(key)
        case .confirmation(.key(let jwk)): (try? jwk.publicKey()).map(has) ?? false
        case .confirmation(.thumbprint(let thumbprint)):
            keys.contains { (try? JWK($0.publicKey).thumbprint()) == thumbprint }
        case .confirmation(.keyID(let id)):
            Self.methods(of: id).map { methods in methods.contains { (try? $0.publicKey()).map(has) ?? false } }
                ?? !keys.isEmpty
        }
    }

    /// The holder by the key that the subject of a credential is bound to; nil if none of the keys is.
    func identity(as subject: String) -> W3CHolder? {
        if let name, name.did.text == subject, let key = keys.first { return identity(named: name, key) }
        for method in Self.methods(of: subject) ?? [] {
            guard let bound = try? method.publicKey(), let key = keys.first(where: { $0.publicKey == bound }) else {
                continue
            }
            return identity(named: method.id, key)
        }
        return nil
    }

    private func has(_ key: PublicKey) -> Bool { keys.contains { $0.publicKey == key } }

    private func identity(named name: DIDURL, _ key: PrivateKey) -> W3CHolder {
        W3CHolder(verificationMethod: name, key: key.publicKey, suite: suite ?? Self.suite(for: key))
    }

    /// The keys of a DID that is a key itself, or of a URL in it; nil for any other.
    private static func methods(of text: String) -> [VerificationMethod]? {
        guard let did = (try? DIDURL(text))?.did else { return nil }
        let time = Date()
        let document: DIDDocument? =
            switch did.method {
            case "key": try? DIDKeyMethod().document(of: did, at: time)
            case "jwk": try? DIDJWKMethod().document(of: did, at: time)
            default: nil
            }
        return document?.verificationMethods
    }

    private static func suite(for key: PrivateKey) -> LinkedDataProofSuite {
        switch key.publicKey.curve {
        case .ed25519: .eddsaRDFC2022
        case .p256, .p384: .ecdsaRDFC2019
        default: .jsonWebSignature2020
        }
    }
}
