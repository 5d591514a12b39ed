import CBORKit
import CredentialTesting
import CryptoCore
import Foundation
import JSONKit
import MdocKit
import OID4VPKit
import OID4VPMessages
import SDJWTKit
import TestSupport
import Testing

struct MdocCredentialTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let deviceKey: PrivateKey

    init() throws {
        deviceKey = try PrivateKey.generate(.p256)
    }

    private func credential() async throws -> MdocCredential {
        let pki = try await MdocTestPKI.make(at: now)
        let validity = ValidityInfo(signed: now, validFrom: now, validUntil: now + 86_400)
        var builder = IssuerSignedBuilder(docType: .mDL, deviceKey: deviceKey.publicKey, validityInfo: validity)
        for name in ["family_name", "given_name", "birth_place"] as [DataElementIdentifier] {
            try builder.add("Doe", as: name, in: .mDL)
        }
        try builder.add(true, as: "age_over_18", in: .mDL)
        try builder.add(1, as: "organ_donor", in: "org.iso.18013.5.1.aamva")
        let issued = try await builder.sign(with: SoftwareSigner(pki.documentSignerKey), x5chain: [pki.documentSigner])
        return MdocCredential(StoredMdoc(id: "mdl", issuerSigned: issued))
    }

    private func query(_ claims: [ClaimQuery]) throws -> DCQLQuery {
        try DCQLQuery(credentials: [
            CredentialQuery(id: "q", format: .mdoc, type: .docType("org.iso.18013.5.1.mDL"), claims: claims)
        ])
    }

    private let transcript = SessionTranscript(
        handover: .openID4VP(clientID: "x", nonce: "n", jwkThumbprint: nil, responseURI: "https://v.example/")
    )

    @Test func isNotHolderBoundWithoutTheDeviceKey() async throws {
        let kept = try await credential()
        let keyless = MdocCredential(
            StoredMdoc(id: "lost", issuerSigned: kept.stored.issuerSigned),
            hasDeviceKey: false
        )
        #expect(try query([]).evaluate(over: [keyless, kept])["q"]?.matches.map(\.credential) == ["mdl"])
        #expect(try !query([]).evaluate(over: [keyless]).isSatisfied)
    }

    @Test func saysWhatQueriesNeed() async throws {
        let credential = try await credential()
        #expect(credential.types == ["org.iso.18013.5.1.mDL"])
        #expect(credential.claims["org.iso.18013.5.1"]?["age_over_18"] == true)
        #expect(credential.issuerAlgorithms == ["-7", "-9", "ES256"])
        #expect(credential.authorityKeyIdentifiers.count == 1)
        let values = ClaimQuery(path: ["org.iso.18013.5.1.aamva", "organ_donor"], values: [1])
        #expect(try query([values]).evaluate(over: [credential]).isSatisfied)
        let others = ClaimQuery(path: ["org.iso.18013.5.1", "age_over_18"], values: [1])
        #expect(try !query([others]).evaluate(over: [credential]).isSatisfied)
    }

    private static let paths: [ClaimPath] = [
        ["org.iso.18013.5.1", "family_name"], ["org.iso.18013.5.1", "given_name"],
        ["org.iso.18013.5.1", "birth_place"],
        ["org.iso.18013.5.1", "age_over_18"], ["org.iso.18013.5.1.aamva", "organ_donor"],
    ]

    @Test(arguments: 0..<40)
    func disclosesOnlyWhatWasAskedFor(_ seed: Int) async throws {
        var generator = RepeatableRandomNumberGenerator(seed: UInt64(seed))
        let credential = try await credential()
        let asked = Self.paths.shuffled(using: &generator).prefix(Int.random(in: 0...5, using: &generator))
        let plan = try query(asked.map { ClaimQuery(path: $0) }).evaluate(over: [credential]).preferredPlan()
        let prepared = try credential.presentation(of: plan.entries[0].match, sessionTranscript: transcript)
        let document = try await prepared.signed(with: SoftwareSigner(deviceKey))
        let disclosed = document.issuerSigned.nameSpaces.flatMap { group in
            group.items.map { ClaimPath([.name(group.nameSpace.text), .name($0.elementIdentifier.text)]) }
        }
        #expect(Set(disclosed) == Set(asked))
    }

    @Test func disclosesWholeElementsAndNamespacesToPresentationExchange() async throws {
        let credential = try await credential()
        func disclosed(_ path: String) throws -> Int {
            let definition = try PresentationDefinition(json: [
                "id": "p",
                "input_descriptors": [
                    [
                        "id": "org.iso.18013.5.1.mDL", "format": ["mso_mdoc": ["alg": ["ES256"]]],
                        "constraints": ["limit_disclosure": "required", "fields": [["path": [.string(path)]]]],
                    ]
                ],
            ])
            let plan = try definition.evaluate(over: [credential]).preferredPlan()
            let prepared = try credential.presentation(of: plan.entries[0].match, sessionTranscript: transcript)
            return prepared.issuerSigned.nameSpaces.reduce(0) { $0 + $1.items.count }
        }
        #expect(try disclosed("$['org.iso.18013.5.1']['family_name']") == 1)
        #expect(try disclosed("$['org.iso.18013.5.1']") == 4)
    }

    @Test func refusesTheMatchOfAnotherCredential() async throws {
        let credential = try await credential()
        let other = MdocCredential(StoredMdoc(id: "other", issuerSigned: credential.stored.issuerSigned))
        let match = try #require(try query([]).evaluate(over: [other])["q"]?.matches.first)
        #expect(throws: MdocError.self) { try credential.presentation(of: match, sessionTranscript: transcript) }
    }
}
