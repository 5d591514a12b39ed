import CBORKit
import CredentialTesting
import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import LinkedDataKit
import MdocKit
import OID4VPKit
import SDJWTKit

/// The issuance of the wallet's credentials.
struct WalletIssuance {
    let pki: MdocTestPKI
    let issuer: SoftwareSigner
    let deviceKey: SoftwareSigner
    let holderKey: SoftwareSigner
    let now: Date

    func mdoc() async throws -> PresentableCredential {
        let validity = ValidityInfo(signed: now, validFrom: now, validUntil: now + 86_400)
        var builder = IssuerSignedBuilder(docType: .mDL, deviceKey: deviceKey.publicKey, validityInfo: validity)
        try builder.add("Lovelace", as: "family_name", in: .mDL)
        try builder.add("Ada", as: "given_name", in: .mDL)
        let issued = try await builder.sign(with: SoftwareSigner(pki.documentSignerKey), x5chain: [pki.documentSigner])
        return .mdoc(MdocCredential(StoredMdoc(id: "mdl", issuerSigned: issued)))
    }

    func sdJWT() async throws -> PresentableCredential {
        var builder = SDJWTBuilder(
            credentialType: "urn:pid",
            claims: ["iss": "https://issuer.example", "given_name": "Ada", "family_name": "Lovelace"]
        )
        try builder.conceal(["given_name"])
        try builder.conceal(["family_name"])
        builder.holderKey = try JWK(deviceKey.publicKey)
        return .sdJWT(try SDJWTCredential(name: "pid", try await builder.sign(with: issuer)))
    }

    /// The context of the linked-data credential.
    static let contexts: JSONValue = .array([.string(DataModelVersion.v1.contextURL), suiteContext, terms])

    private static let suiteContext: JSONValue = "https://w3id.org/security/suites/ed25519-2020/v1"
    private static let terms: JSONValue = [
        "Member": "https://club.example/Member", "level": "https://club.example/level",
    ]

    func linkedData() async throws -> PresentableCredential {
        let did = try DID.key(issuer.publicKey)
        let content = try content([Self.suiteContext])
        let signed = try await LinkedDataProver().sign(
            content.members,
            suite: .ed25519Signature2020,
            options: LinkedDataProofOptions(
                verificationMethod: try DIDURL("\(did.text)#\(did.identifier)"),
                created: now - 60
            ),
            with: issuer
        )
        return .w3c(try W3CCredential(name: "club", VerifiableCredential(.linkedData(signed))))
    }

    func token() async throws -> PresentableCredential {
        let did = try DID.key(issuer.publicKey)
        let header = JOSEHeader(type: "JWT", keyID: "\(did.text)#\(did.identifier)")
        let token = try await JWT.sign(try content([]).tokenClaims, header: header, with: issuer)
        return .w3c(try W3CCredential(name: "token", VerifiableCredential(.token(token))))
    }

    private func content(_ contexts: [JSONValue]) throws -> W3CCredentialContent {
        try W3CCredentialContent(
            version: .v1,
            id: "urn:uuid:0b1e8a3c-1b5a-4c9e-9d7e-1f0a6a4d0001",
            types: ["Member"],
            contexts: contexts + [Self.terms],
            issuer: DID.key(issuer.publicKey).text,
            subjects: [["id": .string(try DID.key(holderKey.publicKey).text), "level": "gold"]],
            validFrom: now - 86_400,
            validUntil: now + 86_400
        )
    }
}
