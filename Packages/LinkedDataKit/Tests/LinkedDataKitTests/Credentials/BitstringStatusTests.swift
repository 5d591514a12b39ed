import CredentialTransport
import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import LinkedDataKit
import StatusListKit
import Testing

/// The status of credentials in bitstring lists, from the list's credential to the verdict.
struct BitstringStatusTests {
    typealias Form = CredentialScene.Form

    private static let url = "https://issuer.example/lists/1"

    /// The bytes of a list's credential.
    private func list(
        _ scene: CredentialScene,
        revoked: Int,
        among count: Int = BitstringStatusList.minimumCount,
        level: StatusListCompression = .smallest,
        with signer: SoftwareSigner? = nil,
        _ change: (inout JSONObject) -> Void = { _ in }
    ) async throws -> [UInt8] {
        var list = try BitstringStatusList(count: count)
        try list.set(1, at: revoked)
        let isEarlier = scene.form.version == .v1
        let name = isEarlier ? "StatusList2021" : "BitstringStatusList"
        let text = try list.encodedList(form: isEarlier ? .statusList2021 : .bitstring, level: level)
        let credential = try await scene.credential(with: signer) { members in
            members["id"] = .string(Self.url)
            members["type"] = ["VerifiableCredential", .string(name + "Credential")]
            if isEarlier { members["@context"] = .array(Self.contexts(members)) }
            members["credentialSubject"] = [
                "id": .string(Self.url + "#list"), "type": .string(name), "statusPurpose": "revocation",
                "encodedList": .string(text),
            ]
            change(&members)
        }
        switch credential.form {
        case .linkedData(let document): return Array(document.encodedBytes)
        case .token(let token): return Array(try token.compactSerialization().utf8)
        }
    }

    private static func contexts(_ members: JSONObject) -> [JSONValue] {
        (members["@context"]?.arrayValue ?? []) + ["https://w3id.org/vc/status-list/2021/v1"]
    }

    private func credential(_ scene: CredentialScene, at index: Int) async throws -> VerifiableCredential {
        let isEarlier = scene.form.version == .v1
        let entry = try BitstringStatusListEntry(
            form: isEarlier ? .statusList2021 : .bitstring,
            purpose: .revocation,
            index: index,
            listURL: ExactText(Self.url)
        )
        return try await scene.credential { members in
            members["credentialStatus"] = .object(entry.json(id: Self.url + "#\(index)"))
            if isEarlier { members["@context"] = .array(Self.contexts(members)) }
        }
    }

    private func refusal(
        _ scene: CredentialScene,
        _ list: [UInt8],
        at index: Int,
        limits: StatusListLimits = .default
    ) async throws -> Refusal? {
        let source = BitstringStatusSource(
            transport: InMemoryHTTPTransport([Self.url: .ok(list, type: .json)]),
            verifier: try scene.verifier(),
            limits: limits
        )
        return try await scene.verifier(status: source).verify(credential(scene, at: index)).refusal
    }

    @Test(arguments: Form.allCases)
    func refusesRevokedCredentialsAlone(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        let list = try await list(scene, revoked: 4711)
        #expect(try await refusal(scene, list, at: 4711)?.reason == .revoked)
        let other = try await refusal(scene, list, at: 4712)
        #expect(other == nil, "\(String(describing: other))")
    }

    /// A list of one purpose, in which the status at 4711 is 1, and the verification of a credential that names it.
    private func verification(
        for purpose: StatusPurpose,
        at index: Int = 4711,
        _ change: (inout W3CCredentialPolicy) -> Void = { _ in }
    ) async throws -> Verification<VerifiedW3CCredential> {
        let scene = try CredentialScene(.token2)
        let list = try await list(scene, revoked: 4711) { members in
            var subject = members["credentialSubject"]?.objectValue ?? [:]
            subject["statusPurpose"] = .string(purpose.rawValue)
            members["credentialSubject"] = .object(subject)
        }
        let source = BitstringStatusSource(
            transport: InMemoryHTTPTransport([Self.url: .ok(list, type: .json)]),
            verifier: try scene.verifier()
        )
        let entry = try BitstringStatusListEntry(purpose: purpose, index: index, listURL: ExactText(Self.url))
        let credential = try await scene.credential { $0["credentialStatus"] = .object(entry.json()) }
        return try await scene.verifier(status: source, change).verify(credential)
    }

    /// Bitstring Status List 1.0, section 2.2: the status does not invalidate the credential.
    @Test func takesACredentialOfWhichThereIsAnUpdate() async throws {
        let update = try await verification(for: .refresh)
        #expect(try #require(update.verified, "\(String(describing: update.refusal))").isUpdateAvailable)
        let current = try #require(try await verification(for: .refresh, at: 4712).verified)
        #expect(!current.isUpdateAvailable)
        let waived = try #require(try await verification(for: .refresh) { $0.status = .waived }.verified)
        #expect(!waived.isUpdateAvailable && waived.status == nil)
    }

    /// Bitstring Status List 1.0, section 3.2: the status 0 is valid.
    @Test func takesTheStatusesThatAreAcceptedForTheirPurpose() async throws {
        let other = StatusPurpose(rawValue: "other")
        for (purpose, others) in [(StatusPurpose.message, other), (other, .message)] {
            #expect(try await verification(for: purpose, at: 4712).refusal == nil)
            #expect(try await verification(for: purpose).refusal?.reason == .statusUnknown)
            let accepted = try await verification(for: purpose) { $0.acceptedStatuses = [purpose: [1]] }
            #expect(accepted.refusal == nil, "\(String(describing: accepted.refusal))")
            let foreign = try await verification(for: purpose) { policy in
                policy.acceptedStatuses = [others: [1], purpose: [2]]
            }
            #expect(foreign.refusal?.check == .status && foreign.refusal?.reason == .statusUnknown)
        }
        let revoked = try await verification(for: .revocation) { $0.acceptedStatuses = [.revocation: [1]] }
        #expect(revoked.refusal?.reason == .revoked)
    }

    /// The limits of lists count, and not those of other credentials.
    @Test(arguments: Form.allCases)
    func takesListsAsLongAsTheirLimitsAllow(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        let list = try await list(scene, revoked: 4711, among: 10_000_000, level: .stored)
        #expect(list.count > 1_500_000)
        #expect(try await refusal(scene, list, at: 4711)?.reason == .revoked)
        var limits = StatusListLimits.default
        limits.tokenSize = list.count
        #expect(try await refusal(scene, list, at: 4712, limits: limits) == nil)
        limits.tokenSize -= 1
        #expect(try await refusal(scene, list, at: 4712, limits: limits)?.reason == .statusUnknown)
    }

    /// A verifier without a network takes the list that the app has already, and verifies it as a fetched one.
    @Test(arguments: Form.allCases)
    func takesListsWithoutANetwork(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        var snapshot = BitstringListSnapshot()
        snapshot.insert(try await list(scene, revoked: 4711), for: ExactText(Self.url))
        let source = BitstringStatusSource(transport: nil, snapshot: snapshot, verifier: try scene.verifier())
        let verifier = try scene.verifier(status: source)
        #expect(await verifier.verify(try await credential(scene, at: 4711)).refusal?.reason == .revoked)
        #expect(await verifier.verify(try await credential(scene, at: 4712)).refusal == nil)
        snapshot.insert(try await list(scene, revoked: 1, with: scene.holder), for: ExactText(Self.url))
        let later = BitstringStatusSource(transport: nil, verifier: try scene.verifier())
        let waiting = try scene.verifier(status: later)
        #expect(await waiting.verify(try await credential(scene, at: 7)).refusal?.reason == .statusUnknown)
        later.client.load(snapshot)
        #expect(await waiting.verify(try await credential(scene, at: 7)).refusal?.reason == .statusUnknown)
        later.client.load(source.client.snapshot())
        #expect(await waiting.verify(try await credential(scene, at: 7)).refusal == nil)
    }

    @Test(arguments: Form.allCases)
    func doesNotBelieveAListThatDoesNotVerify(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        let holder = try scene.holderDID.text
        let lists: [[UInt8]] = [
            // Signed by another than its issuer, by an issuer that is not trusted, too old, and no credential.
            try await list(scene, revoked: 1, with: scene.holder),
            try await list(scene, revoked: 1, with: scene.holder) { $0["issuer"] = .string(holder) },
            try await list(scene, revoked: 1) { members in
                members[form.version == .v1 ? "issuanceDate" : "validFrom"] = "2020-01-01T00:00:00Z"
                members[form.version == .v1 ? "expirationDate" : "validUntil"] = "2021-01-01T00:00:00Z"
            },
            Array("{}".utf8), Array("e".utf8),
        ]
        for list in lists {
            let refusal = try await refusal(scene, list, at: 7)
            #expect(refusal?.check == .status)
            #expect(refusal?.reason == .statusUnknown)
            #expect(refusal?.isUnavailable == true)
        }
    }

    @Test func doesNotBelieveTheListOfAnotherTrustedIssuer() async throws {
        let scene = try CredentialScene(.dataIntegrity)
        let holder = ExactText(try scene.holderDID.text)
        let issuer = ExactText(try scene.issuerDID.text)
        let list = try await list(scene, revoked: 1, with: scene.holder) { $0["issuer"] = .string(holder.text) }
        let lists = W3CCredentialVerifier(trust: .issuers([issuer, holder]), clock: { CredentialScene.now })
        let transport = InMemoryHTTPTransport([Self.url: .ok(list, type: .json)])
        let entry = try BitstringStatusListEntry(purpose: .revocation, index: 7, listURL: ExactText(Self.url))
        let strict = BitstringStatusSource(transport: transport, verifier: lists)
        let refused = await strict.status(of: entry.json(), issuer: issuer, at: CredentialScene.now).status
        guard case .unknown(let obstacle) = refused else {
            Issue.record("\(refused)")
            return
        }
        #expect(obstacle.contains("issuerNotTrusted"))
        let delegated = BitstringStatusSource(transport: transport, verifier: lists, listIssuers: [issuer: [holder]])
        let status = await delegated.status(of: entry.json(), issuer: issuer, at: CredentialScene.now).status
        guard case .valid = status else {
            Issue.record("\(status)")
            return
        }
    }

    @Test func asksTheTrustForListsWithItsOwnPurpose() async throws {
        let scene = try CredentialScene(.token2)
        let trust = W3CCredentialTrust { question, _ throws(CheckFault) in
            guard question.purpose == .issue else { throw .failed(.issuerNotTrusted, "no lists of this issuer") }
        }
        let list = try await list(scene, revoked: 1)
        let source = BitstringStatusSource(
            transport: InMemoryHTTPTransport([Self.url: .ok(list, type: .json)]),
            verifier: W3CCredentialVerifier(
                policy: W3CCredentialPolicy(tokens: [.edDSA]),
                trust: trust,
                clock: { CredentialScene.now }
            )
        )
        let refusal = try await scene.verifier(status: source).verify(credential(scene, at: 7)).refusal
        #expect(refusal?.reason == .statusUnknown)
    }

    @Test func takesAnyErrorOfAFunctionThatDecidesOnTrust() async throws {
        struct Offline: Error {}
        let scene = try CredentialScene(.token2)
        let verifier = W3CCredentialVerifier(
            policy: W3CCredentialPolicy(tokens: [.edDSA]),
            trust: W3CCredentialTrust { _, _ in throw Offline() },
            clock: { CredentialScene.now }
        )
        let refusal = await verifier.verify(try await credential(scene, at: 7)).refusal
        #expect(refusal?.check == .issuerTrust && refusal?.reason == .operationFailed)
        #expect(refusal?.isUnavailable == true)
    }

    @Test func saysThatAStatementIsOfAnotherType() async throws {
        let scene = try CredentialScene(.dataIntegrity)
        let source = BitstringStatusSource(transport: nil, verifier: try scene.verifier())
        for statement: JSONObject in [["type": "TokenStatus"], ["type": "BitstringStatusListEntry"]] {
            let status = await source.status(of: statement, issuer: "did:example:a", at: CredentialScene.now).status
            guard case .unknown = status else {
                Issue.record("\(status)")
                continue
            }
        }
    }
}
