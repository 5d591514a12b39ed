import CryptoCore
import DIDKit
import Foundation
import JOSEKit

/// Keys of DIDs that are known beforehand, for one relationship.
struct FixedKeys: DIDResolver {
    let keys: [String: PublicKey]
    var relationship = VerificationRelationship.assertionMethod

    func document(of did: DID, at _: Date) throws(DIDError) -> DIDDocument {
        var methods: [VerificationMethod] = []
        for (name, key) in keys where name.hasPrefix(did.text + "#") {
            methods.append(try VerificationMethod(id: DIDURL(name), key: key))
        }
        return DIDDocument(id: did, verificationMethods: methods, relationships: [relationship: methods.map(\.id)])
    }
}
