import CredentialTesting
import CryptoCore
import Foundation
import IRMAMessages
import IdemixCore
import TestSupport
import Testing

/// A demo scheme with one issuer, three credential types and a holder.
struct Scene: Sendable {
    static let shared = Result { try Scene() }

    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let card = CredentialTypeIdentifier("demo.bank.card")
    static let mail = CredentialTypeIdentifier("demo.bank.mail")
    static let pass = CredentialTypeIdentifier("demo.bank.pass")

    let keys: IdemixIssuerKeyPair
    let schemes: SchemeSnapshot
    let authority: RevocationAuthority
    let timestampSigner: SoftwareSigner
    private let secretKey = IdemixHolderSecretKey.random()

    static let timestampServer = "https://time.example/atum"

    private init() throws {
        let randomness = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 17))
        keys = try IdemixIssuerKeyPair.generate(
            .bits1024,
            counter: 3,
            expiryDate: Self.now + 1e8,
            baseCount: 6,
            using: randomness
        )
        schemes = try SchemeSnapshot([Self.scheme(publicKeys: [keys.publicKey])])
        let unsigned = try RevocationAuthority.prepare(keys: keys, at: Self.now)
        let signature = try keys.privateKey.revocationSigner().signature(for: unsigned.bytesToSign)
        authority = try unsigned.completed(with: signature)
        timestampSigner = try SoftwareSigner(PrivateKey.generate(.ed25519))
    }

    /// The scheme; `card` is a singleton, `mail` has a page that issues it, `pass` can be revoked.
    static func scheme(publicKeys: [IdemixIssuerPublicKey]) throws -> IRMAScheme {
        var description = SchemeDescription(id: "demo", url: "https://schemes.example/demo", isDemo: true)
        description.timestampServer = timestampServer
        let card = CredentialTypeDescription(
            id: card,
            attributes: [
                AttributeDescription("name"), AttributeDescription("level", isOptional: true),
                AttributeDescription("number"), AttributeDescription("note", isOptional: true),
            ],
            isSingleton: true
        )
        var mail = CredentialTypeDescription(
            id: mail,
            attributes: [AttributeDescription("address"), AttributeDescription("domain")]
        )
        mail.issueURL = TranslatedText(["en": "https://bank.example/mail"])
        let pass = CredentialTypeDescription(
            id: pass,
            attributes: [AttributeDescription("id"), AttributeDescription("", isRevocation: true)],
            revocationServers: ["https://revocation.example/irma"]
        )
        return try IRMAScheme(
            description,
            issuers: [IssuerDescription(id: "demo.bank")],
            credentialTypes: [card, mail, pass],
            publicKeys: ["demo.bank": publicKeys]
        )
    }

    /// A credential of the holder; a type with revocation gets a witness.
    func credential(
        _ type: CredentialTypeIdentifier,
        _ values: [String?],
        signedAt: Date = now - 1e6,
        expiresAt: Date = now + 1e7
    ) throws -> IdemixCredential {
        let metadata = try MetadataAttribute(
            credentialType: type.text,
            keyCounter: 3,
            signedAt: signedAt,
            expiresAt: expiresAt
        )
        let witness = type == Self.pass ? try authority.makeWitness() : nil
        let attributes =
            [metadata.integer] + values.map { AttributeEncoding.version3.integer(for: $0) }
            + (witness.map { [$0.e] } ?? [])
        let builder = IdemixProofListBuilder()
        let pending = try builder.addIssuance(publicKey: keys.publicKey, secretKey: secretKey)
        let verified = try builder.prove(challenge: IdemixChallenge(nonce: 1))
            .verify(
                expecting: [.issuance(IdemixIssuanceExpectation(publicKey: keys.publicKey))],
                challenge: IdemixChallenge(nonce: 1),
                at: Self.now
            ).get()
        guard case .issuance(let commitment)? = verified.proofs.first else { throw CocoaError(.coderInvalidValue) }
        let issued = try IdemixIssuer(keys: keys)
            .sign(attributes: attributes, commitment: commitment, nonce: 2, witness: witness?.message)
        return try pending.finish(
            with: issued,
            attributes: attributes,
            revocationIndex: witness == nil ? nil : attributes.count,
            nonce: 2
        )
    }

    func card(_ name: String = "Alice", level: String? = "7", number: String = "1") throws -> IdemixCredential {
        try credential(Self.card, [name, level, number, nil])
    }

    func mail(_ address: String = "a@example.com", domain: String = "example.com") throws -> IdemixCredential {
        try credential(Self.mail, [address, domain])
    }

    /// The answer of a wallet that shows base indices of credentials.
    func response(
        _ shown: [(IdemixCredential, Set<Int>)],
        indices: [[(Int, Int)]],
        to request: SessionRequest,
        provingNonRevocation: Bool = false
    ) throws -> DisclosureResponse {
        let builder = IdemixProofListBuilder()
        for (credential, disclosed) in shown {
            try builder.add(
                IdemixDisclosureRequest(credential, disclosing: disclosed, provingNonRevocation: provingNonRevocation)
            )
        }
        return DisclosureResponse(
            proofs: try shown.isEmpty ? IdemixProofList([]) : builder.prove(challenge: request.parameters.challenge()),
            indices: indices.map { $0.map { AttributePosition(credential: $0.0, attribute: $0.1) } }
        )
    }

    /// A request to show attributes.
    func request(_ disclose: Condiscon) -> SessionRequest {
        var request = SessionRequest(.disclosing, disclose: disclose)
        request.parameters.nonce = 77
        request.parameters.context = 1
        return request
    }

    /// The outcome of the verification of an answer.
    func outcome(
        of response: DisclosureResponse,
        to request: SessionRequest,
        at time: Date = now,
        accumulators: KnownAccumulators = [:]
    ) -> DisclosureOutcome {
        DisclosureVerifier(schemes: schemes).verify(response, answering: request, at: time, accumulators: accumulators)
    }
}
