import CredentialTesting
import CryptoCore
import Foundation
import IRMAMessages
import IdemixCore
import JSONKit
import TestSupport
import Testing

/// The choice of credentials for a request, and what is shown of them.
@Suite struct DisclosureCandidateTests {
    private let scene: Scene

    init() throws {
        scene = try Scene.shared.get()
    }

    private func held(
        _ type: CredentialTypeIdentifier,
        _ values: [Int: String?],
        hash: UInt8,
        expiresAt: Date = Scene.now + 1e6,
        isRevoked: Bool = false,
        hasWitness: Bool = false
    ) -> HeldCredential {
        HeldCredential(
            hash: [hash],
            type: type,
            values: values,
            expiresAt: expiresAt,
            isRevoked: isRevoked,
            hasWitness: hasWitness
        )
    }

    private func candidates(_ request: SessionRequest, _ held: [HeldCredential]) throws -> [[DisclosureCandidate]] {
        try request.candidates(among: held, schemes: scene.schemes, at: Scene.now)
    }

    @Test func credentialsThatSatisfyAConjunctionAreCandidates() throws {
        let request = scene.request([
            [["demo.bank.mail.address"], []], [[AttributeRequest("demo.bank.card.name", value: "Alice")]],
        ])
        let ways = try candidates(
            request,
            [
                held(Scene.mail, [2: "a", 3: "b"], hash: 1), held(Scene.mail, [2: "c", 3: "d"], hash: 2),
                held(Scene.card, [2: "Bob"], hash: 3),
            ]
        )
        #expect(ways[0].map(\.choice) == [0, 0, 0, 1])
        #expect(ways[0].map { $0.credentials.map(\.hash) } == [[[1]], [[2]], [nil], []])
        #expect(ways[0].map(\.isUsable) == [true, true, false, true])
        #expect(ways[1].map { $0.credentials.map(\.hash) } == [[nil]])
    }

    @Test func singletonsAreNotOfferedAnew() throws {
        let request = scene.request([[["demo.bank.card.name"]]])
        #expect(try candidates(request, [held(Scene.card, [2: "A"], hash: 1)])[0].count == 1)
    }

    @Test func typesWithoutAPageAreOfferedOnlyWhenNoneIsHeld() throws {
        let request = scene.request([[["demo.bank.pass.id"]]])
        #expect(try candidates(request, [])[0].map { $0.credentials.map(\.hash) } == [[nil]])
        #expect(try candidates(request, [held(Scene.pass, [2: "a"], hash: 1)])[0].count == 1)
    }

    @Test func whatTheRequestIssuesIsNotOffered() throws {
        let request = SessionRequest(
            .issuing([
                CredentialRequest(Scene.pass, attributes: ["id": "a"]),
                CredentialRequest(Scene.mail, attributes: ["address": "a", "domain": "b"]),
            ]),
            disclose: [[["demo.bank.pass.id"], ["demo.bank.mail.address"]]]
        )
        #expect(try candidates(request, [])[0].map(\.choice) == [1])
    }

    @Test(arguments: [(-1.0, true), (1, false)])
    func typesThatAreNoLongerIssuedAreNotOffered(_ offset: Double, _ isOver: Bool) throws {
        let end = Int64(Scene.now.timeIntervalSince1970 + offset)
        let scheme = try Scene.scheme(publicKeys: [scene.keys.publicKey])
        var (issuer, mail) = (
            try #require(scheme.issuers["demo.bank"]), try #require(scheme.credentialTypes[Scene.mail])
        )
        func count() throws -> Int {
            let changed = try IRMAScheme(
                scheme.description,
                issuers: [issuer],
                credentialTypes: [mail],
                publicKeys: ["demo.bank": [scene.keys.publicKey]]
            )
            return try scene.request([[["demo.bank.mail.address"]]])
                .candidates(among: [], schemes: SchemeSnapshot([changed]), at: Scene.now)[0].count
        }
        mail.deprecatedSince = end
        #expect(try count() == (isOver ? 0 : 1))
        (mail.deprecatedSince, issuer.deprecatedSince) = (nil, end)
        #expect(try count() == (isOver ? 0 : 1))
    }

    @Test func unusableCredentialsSayWhy() throws {
        var request = scene.request([[["demo.bank.pass.id"]]])
        let all = [
            held(Scene.pass, [2: "a"], hash: 1, expiresAt: Scene.now - 1, hasWitness: true),
            held(Scene.pass, [2: "a"], hash: 2, isRevoked: true, hasWitness: true), held(Scene.pass, [2: "a"], hash: 3),
        ]
        let plain = try candidates(request, all)[0].compactMap(\.credentials.first)
        #expect(plain.map(\.isExpired) == [true, false, false])
        #expect(plain.map(\.isRevoked) == [false, true, false])
        #expect(plain.map(\.isUsable) == [false, false, true])
        request.parameters.revocation = [Scene.pass: NonRevocationDemand()]
        request.skipExpiryCheck = [Scene.pass]
        let demanding = try candidates(request, all)[0].compactMap(\.credentials.first)
        #expect(demanding.map(\.lacksWitness) == [false, false, true])
        #expect(demanding.map(\.isUsable) == [true, false, false])
    }

    @Test func combinationsAreLimited() throws {
        let request = scene.request([[["demo.bank.mail.address"]]])
        let many = (0..<SessionRequest.maximumCandidates - 1).map { _ in held(Scene.mail, [2: "a"], hash: 1) }
        #expect(try candidates(request, many)[0].count == SessionRequest.maximumCandidates)
        expectRefusal(.limitExceeded, at: "disclose[0]") {
            try candidates(request, many + [held(Scene.mail, [2: "a"], hash: 2)])
        }
        expectRefusal(.unknownIdentifier) { try candidates(scene.request([[["demo.bank.none.a"]]]), []) }
    }

    @Test func selectionIsProvedAndVerified() throws {
        let (card, mail) = (try scene.card(), try scene.mail())
        let request = scene.request([
            [["demo.bank.mail.domain"]], [["demo.bank.card.name", "demo.bank.mail.address"]], [["demo.bank.card"]],
        ])
        try request.validate(with: scene.schemes)
        let held = try [card, mail].map { try HeldCredential($0, schemes: scene.schemes) }
        let choice = try candidates(request, held).map { ways in
            let usable = ways.first { $0.isUsable }
            return try #require(usable)
        }
        let selection = try DisclosureSelection(choice, answering: request, schemes: scene.schemes)
        #expect(selection.disclosures.map(\.hash) == [mail.hash, card.hash])
        #expect(selection.disclosures.map(\.disclosed) == [[1, 2, 3], [1, 2]])
        let byHash = [card.hash: card, mail.hash: mail]
        let shown = try selection.disclosures.map { (try #require(byHash[$0.hash]), $0.disclosed) }
        let indices = selection.indices.map { $0.map { ($0.credential, $0.attribute) } }
        let response = try scene.response(shown, indices: indices, to: request)
        #expect(scene.outcome(of: response, to: request).proofStatus == .valid)
    }

    /// The schemes after an update in which a type has gained attributes.
    private func schemes(
        _ type: CredentialTypeIdentifier,
        gaining attributes: [AttributeDescription],
        revocationServers: [String]? = nil,
        newKeys: [IdemixIssuerPublicKey] = []
    ) throws -> SchemeSnapshot {
        let scheme = try #require(scene.schemes.schemes["demo"])
        var types = scheme.credentialTypes
        types[type]?.attributes += attributes
        if let revocationServers { types[type]?.revocationServers = revocationServers }
        let updated = try IRMAScheme(
            scheme.description,
            issuers: Array(scheme.issuers.values),
            credentialTypes: Array(types.values),
            publicKeys: ["demo.bank": [scene.keys.publicKey] + newKeys]
        )
        return try scene.schemes.replacing(updated)
    }

    @Test func attributesGainedAfterTheIssuanceAreShownAsAbsent() throws {
        let mail = try scene.mail()
        let schemes = try schemes(Scene.mail, gaining: [AttributeDescription("note", isOptional: true)])
        let held = try HeldCredential(mail, schemes: schemes)
        #expect(held.values == [2: "a@example.com", 3: "example.com", 4: nil])
        let request = scene.request([[["demo.bank.mail.note", "demo.bank.mail.domain"]]])
        let way = try #require(try request.candidates(among: [held], schemes: schemes, at: Scene.now)[0].first)
        #expect(way.isUsable)
        let selection = try DisclosureSelection([way], answering: request, schemes: schemes)
        let builder = IdemixProofListBuilder()
        try builder.add(try #require(selection.disclosures.first).request(showing: mail, schemes: schemes))
        let response = DisclosureResponse(
            proofs: try builder.prove(challenge: request.parameters.challenge()),
            indices: selection.indices
        )
        let outcome = DisclosureVerifier(schemes: schemes).verify(response, answering: request, at: Scene.now)
        #expect(outcome.proofStatus == .valid)
        #expect(outcome.disclosed.first??.map(\.rawValue) == [nil, "example.com"])
        #expect(outcome.disclosed.first??.map(\.status) == [.null, .present])
        // A value is asked for.
        let demanding = scene.request([[[AttributeRequest("demo.bank.mail.note", isPresenceRequired: true)]]])
        #expect(
            try demanding.candidates(among: [held], schemes: schemes, at: Scene.now)[0].allSatisfy { !$0.isUsable }
        )
    }

    /// An issuer and a wallet with newer schemes than the verifier: the further attribute stays hidden.
    @Test func verifiersTakeCredentialsOfATypeThatHasGrownMeanwhile() throws {
        let mail = try scene.credential(Scene.mail, ["a@example.com", "example.com", "later"])
        let request = scene.request([[["demo.bank.mail.domain"]]])
        let hidden = try scene.response([(mail, [1, 3])], indices: [[(0, 3)]], to: request)
        let outcome = scene.outcome(of: hidden, to: request)
        #expect(outcome.proofStatus == .valid)
        #expect(outcome.disclosed.first??.map(\.rawValue) == ["example.com"])
        let disclosed = try scene.response([(mail, [1, 3, 4])], indices: [[(0, 3)]], to: request)
        #expect(scene.outcome(of: disclosed, to: request).proofStatus == .invalid)
    }

    /// A verifier with older schemes knows no more attributes.
    @Test func onlyDisclosuresOfGainedAttributesArePadded() throws {
        let mail = try scene.mail()
        let gained = ["note", "flag"].map { AttributeDescription($0, isOptional: true) }
        let schemes = try schemes(Scene.mail, gaining: gained)
        let held = try HeldCredential(mail, schemes: schemes)
        func count(_ attribute: AttributeIdentifier) throws -> Int {
            let request = scene.request([[[AttributeRequest(attribute)]]])
            let way = try #require(try request.candidates(among: [held], schemes: schemes, at: Scene.now)[0].first)
            let selection = try DisclosureSelection([way], answering: request, schemes: schemes)
            let disclosure = try #require(selection.disclosures.first)
            return try disclosure.request(showing: mail, schemes: schemes).credential.attributes.count
        }
        #expect(try count("demo.bank.mail.domain") == 3)
        #expect(try count("demo.bank.mail.note") == 5)
    }

    /// The key was made for fewer attributes.
    @Test func attributesThatTheKeyHasNoBaseForAreNotShown() throws {
        let mail = try scene.mail()
        let gained = ["note", "flag", "more"].map { AttributeDescription($0, isOptional: true) }
        let newKey = try IdemixIssuerKeyPair.generate(
            .bits1024,
            counter: 4,
            expiryDate: Scene.now + 1e8,
            baseCount: 7,
            using: GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 18))
        )
        let schemes = try schemes(Scene.mail, gaining: gained, newKeys: [newKey.publicKey])
        let held = try HeldCredential(mail, schemes: schemes)
        #expect(Set(held.values.keys) == [2, 3, 4, 5])
        func ways(_ attribute: AttributeIdentifier) throws -> [DisclosureCandidate] {
            try scene.request([[[AttributeRequest(attribute)]]])
                .candidates(among: [held], schemes: schemes, at: Scene.now)[0]
        }
        #expect(try ways("demo.bank.mail.flag").first?.isUsable == true)
        #expect(try ways("demo.bank.mail.more").allSatisfy { !$0.isUsable })
        let request = scene.request([[["demo.bank.mail.more"]]])
        let way = DisclosureCandidate(choice: 0, credentials: [CandidateCredential(type: Scene.mail, hash: mail.hash)])
        let selection = try DisclosureSelection([way], answering: request, schemes: schemes)
        expectRefusal(.proofFailed) { try selection.disclosures[0].request(showing: mail, schemes: schemes) }
        expectRefusal(.unknownIdentifier) {
            try selection.disclosures[0].request(showing: mail, schemes: SchemeSnapshot())
        }
    }

    /// Zero is no random number, and each wallet would show the same.
    @Test func gainedRandomBlindAttributesAreNotShown() throws {
        let schemes = try schemes(Scene.mail, gaining: [AttributeDescription("number", isRandomBlind: true)])
        let held = try HeldCredential(try scene.mail(), schemes: schemes)
        #expect(Set(held.values.keys) == [2, 3])
        let ways = try scene.request([[["demo.bank.mail.number"]]])
            .candidates(among: [held], schemes: schemes, at: Scene.now)[0]
        #expect(ways.allSatisfy { !$0.isUsable })
    }

    /// The revocation attribute keeps its place, and what stands behind it is padded.
    @Test func gainedAttributesStandBehindTheRevocationAttribute() throws {
        let pass = try scene.credential(Scene.pass, ["a"])
        let schemes = try schemes(Scene.pass, gaining: [AttributeDescription("note", isOptional: true)])
        let held = try HeldCredential(pass, schemes: schemes)
        #expect(held.values == [2: "a", 4: nil])
        var request = scene.request([[["demo.bank.pass.note"]]])
        request.parameters.revocation = [Scene.pass: NonRevocationDemand()]
        let way = try #require(try request.candidates(among: [held], schemes: schemes, at: Scene.now)[0].first)
        let selection = try DisclosureSelection([way], answering: request, schemes: schemes)
        let builder = IdemixProofListBuilder()
        try builder.add(try #require(selection.disclosures.first).request(showing: pass, schemes: schemes))
        let response = DisclosureResponse(
            proofs: try builder.prove(challenge: request.parameters.challenge()),
            indices: selection.indices
        )
        let outcome = DisclosureVerifier(schemes: schemes).verify(response, answering: request, at: Scene.now)
        #expect(outcome.proofStatus == .valid)
    }

    /// A type that has become revocable: the credential has no witness, and can be shown where none is demanded.
    @Test func credentialsFromBeforeRevocationLackAWitness() throws {
        let schemes = try schemes(
            Scene.mail,
            gaining: [AttributeDescription("", isRevocation: true)],
            revocationServers: ["https://revocation.example/irma"]
        )
        let held = try HeldCredential(try scene.mail(), schemes: schemes)
        #expect(Set(held.values.keys) == [2, 3])
        var request = scene.request([[["demo.bank.mail.domain"]]])
        func first() throws -> CandidateCredential? {
            try request.candidates(among: [held], schemes: schemes, at: Scene.now)[0].first?.credentials.first
        }
        #expect(try first()?.isUsable == true)
        request.parameters.revocation = [Scene.mail: NonRevocationDemand()]
        #expect(try first()?.lacksWitness == true)
    }

    @Test func choicesThatDoNotFitAreRefused() throws {
        let request = scene.request([[["demo.bank.card.name"]]])
        let ways = try candidates(request, [])[0]
        func select(_ choice: [DisclosureCandidate]) throws -> DisclosureSelection {
            try DisclosureSelection(choice, answering: request, schemes: scene.schemes)
        }
        expectRefusal(.notSatisfied) { try select([]) }
        expectRefusal(.notSatisfied, at: "disclose[0]") { try select(ways) }
        expectRefusal(.notSatisfied, at: "disclose[0]") {
            try select([DisclosureCandidate(choice: 5, credentials: [])])
        }
        expectRefusal(.notSatisfied, at: "demo.bank.card") {
            try select([DisclosureCandidate(choice: 0, credentials: [])])
        }
    }

    @Test func credentialsOfUnknownTypesAreRefused() throws {
        let card = try scene.card()
        expectRefusal(.unknownIdentifier) { try HeldCredential(card, schemes: SchemeSnapshot()) }
    }

    /// The credentials that the reference's wallet offered, among those that the recording has.
    @Test(.enabled(if: VectorSet("irma").isAvailable, VectorSet.absence), arguments: Recorded.files)
    func recordedWalletOffersTheSame(file: VectorFile) async throws {
        let json = try JSONValue(parsing: file.bytes())
        let schemes = try await Recorded.schemes()
        let wallet = json.member("wallet")
        let known = try Dictionary(
            (wallet.member("usedCredentials").list + wallet.member("newCredentials").list).map { credential in
                let held = try Self.held(credential, schemes)
                return (held.hash, held)
            },
            uniquingKeysWith: { first, _ in first }
        )
        let time = try json.member("created").stringValue.map { try Date($0, strategy: .iso8601) } ?? .distantPast
        var cases = 0
        for (session, offered) in zip(
            json.member("irmaSessions").list,
            json.member("clientOutcome").member("candidates").list
        ) {
            guard !offered.isNull else { continue }
            let request = try SessionRequest(json: session.member("request"))
            let own = try request.candidates(among: Array(known.values), schemes: schemes, at: time)
            for (ways, recorded) in zip(own, offered.list) {
                let expected = recorded.list.map { Self.hashes($0) }.filter { way in
                    way.allSatisfy { hash in known.keys.contains { Self.hexadecimal($0) == hash } }
                }
                let offered = ways.map { $0.credentials.map { $0.hash.map(Self.hexadecimal) ?? "" } }
                #expect(Set(offered.filter { !$0.contains("") }) == Set(expected))
                cases += 1
            }
        }
        file.report(ran: cases, passedOver: cases == 0 ? [(file.path, "offers no credentials")] : [])
    }

    private static func held(_ json: JSONValue, _ schemes: SchemeSnapshot) throws -> HeldCredential {
        // The first one is the secret key.
        let integers = try json.member("attributes").list.dropFirst().map { try $0.decimalInteger() }
        let metadata = try MetadataAttribute(integer: #require(integers.first))
        let name = try #require(schemes.credentialType(hash: metadata.credentialTypeHash)).identifier
        let type = try #require(schemes.credentialType(CredentialTypeIdentifier(name)))
        var values: [Int: String?] = [:]
        for (position, attribute) in type.attributes.enumerated() where !attribute.isRevocation {
            guard position + 1 < integers.count else { continue }
            let integer = integers[position + 1]
            values[position + 2] = .some(
                attribute.isRandomBlind
                    ? AttributeEncoding.randomBlindText(of: integer) : try metadata.encoding.text(of: integer)
            )
        }
        let hash = try #require(json.member("hash").stringValue)
        return HeldCredential(
            hash: try #require([UInt8](hex: hash)),
            type: type.id,
            values: values,
            expiresAt: metadata.expiryDate
        )
    }

    /// The hashes of the credentials of a recorded candidate, each once.
    private static func hashes(_ candidate: JSONValue) -> [String] {
        candidate.list.compactMap { $0["CredentialHash"]?.stringValue }.reduce(into: []) { hashes, hash in
            if hashes.last != hash { hashes.append(hash) }
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
