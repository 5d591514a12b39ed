import CredentialServing
import CryptoCore
import Foundation
import IRMAMessages
import IdemixCore

@testable import IRMAServer

/// A server that is the revocation authority of the pass.
struct RevocationWorld {
    let world: ServerWorld
    let records: InMemoryRevocationRecords
    let authority: RevocationAuthorityService

    init(roles: RevocationRole = [.server, .authority], _ change: (inout ServerWorld.Setup) -> Void = { _ in }) throws {
        let scene = try ServerScene.shared.get()
        let (records, time) = (InMemoryRevocationRecords(), TestTime(ServerScene.now))
        let authority = RevocationAuthorityService(
            roles: [ServerScene.pass: roles],
            records: records,
            issuerKeys: scene.material.issuerKeys,
            clock: time.sessionClock
        )
        world = try ServerWorld {
            $0.time = time
            $0.authority = { _ in authority }
            change(&$0)
        }
        self.records = records
        self.authority = authority
    }

    init(world: ServerWorld, records: InMemoryRevocationRecords, authority: RevocationAuthorityService) {
        (self.world, self.records, self.authority) = (world, records, authority)
    }

    /// A server whose key 3 cannot continue the stored accumulator, since another key of revocation has signed it.
    ///
    /// - Parameter others: The counters of keys beside it, which can sign.
    static func withFailingKey(beside others: [UInt]) async throws -> RevocationWorld {
        let scene = try ServerScene.shared.get()
        let (records, time) = (InMemoryRevocationRecords(), TestTime(ServerScene.now))
        let schemes = scene.material.schemes
        func service(_ keys: IssuerKeyRing) -> RevocationAuthorityService {
            RevocationAuthorityService(
                roles: [ServerScene.pass: [.server, .authority]],
                records: records,
                issuerKeys: keys,
                clock: time.sessionClock
            )
        }
        let first = try await service(scene.material.issuerKeys)
            .updates(of: ServerScene.pass, lastEvents: 0, schemes: schemes)
        guard first.keys.sorted() == [3] else { throw CocoaError(.coderValueNotFound) }
        var pairs = [try scene.copy(counter: 3, revocationKey: PrivateKey.generate(.p256))]
        for counter in others { pairs.append(try scene.copy(counter: counter, withRevocation: true)) }
        let renewed = try SchemeSnapshot([ServerScene.demo(pairs.map(\.publicKey))])
        var ring = IssuerKeyRing()
        for keys in pairs { try ring.add(keys.privateKey, of: ServerScene.pass.issuer, schemes: renewed) }
        let authority = service(ring)
        let world = try ServerWorld {
            $0.time = time
            $0.authority = { _ in authority }
        }
        return RevocationWorld(world: world, records: records, authority: authority)
    }

    /// Issues a pass with a revocation key.
    func issuePass(_ revocationKey: String) async throws -> IdemixCredential {
        let request = CredentialRequest(ServerScene.pass, attributes: ["id": "1"], revocationKey: revocationKey)
        let wallet = world.wallet(try await world.start(ServerScene.issuance(request)))
        let sent = try await wallet.request()
        let (commitments, pending) = try wallet.commitments(for: sent)
        let response = try ServerSessionResponse(decoding: await wallet.post("commitments", commitments).body)
        guard let issued = response.signatures?.first, let witness = issued.witness,
            let credential = sent.credentials.first
        else { throw CocoaError(.coderValueNotFound) }
        let metadata = try MetadataAttribute(
            credentialType: credential.credential.text,
            keyCounter: 3,
            signedAt: world.time.date,
            expiresAt: Date(timeIntervalSince1970: Double(credential.validity ?? 0))
        )
        let attributes = [metadata.integer, AttributeEncoding.version3.integer(for: "1"), witness.e]
        return try pending[0].finish(with: issued, attributes: attributes, revocationIndex: 3, nonce: 4711)
    }

    /// Lets the pause of a stream of accumulators pass.
    func passPause() async {
        await world.time.waitForSleeper(SessionServer.firstUpdatePause)
        world.time.advance(by: SessionServer.firstUpdatePause)
    }

    static let passRequest: SessionRequest = {
        var request = SessionRequest(.disclosing, disclose: [[["demo.bank.pass.id"]]])
        request.parameters.revocation = NonRevocationDemands([ServerScene.pass: NonRevocationDemand()], isList: true)
        return request
    }()

    /// Shows a pass with a proof that it is not revoked.
    func show(
        _ pass: IdemixCredential,
        tolerance: UInt64? = nil
    ) async throws -> (answer: String, result: SessionResult) {
        var wanted = Self.passRequest
        if let tolerance {
            wanted.parameters.revocation = NonRevocationDemands([
                ServerScene.pass: NonRevocationDemand(tolerance: tolerance)
            ])
        }
        let package = try await world.start(wanted)
        let wallet = world.wallet(package)
        let request = try await wallet.request()
        let builder = IdemixProofListBuilder()
        try builder.add(IdemixDisclosureRequest(pass, disclosing: [2], provingNonRevocation: true))
        let proofs = DisclosureResponse(
            proofs: try builder.prove(challenge: request.parameters.challenge()),
            indices: [[AttributePosition(credential: 0, attribute: 2)]]
        )
        let answer = try await wallet.post("proofs", proofs)
        return (answer.text, try await world.server.result(of: package.token))
    }
}
