import CBORKit
import CredentialServing
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import IdemixCore
import JOSEKit
import JSONKit
import Testing

@testable import IRMAServer

/// Credentials that can be revoked: issued, shown, revoked; and what wallets and verifiers are told.
@Suite struct RevocationTests {
    @Test func issuesShowsAndRevokes() async throws {
        let scene = try RevocationWorld()
        let pass = try await scene.issuePass("first")
        let other = try await scene.issuePass("second")
        let (answer, result) = try await scene.show(pass)
        #expect(answer == "{\"proofStatus\":\"VALID\"}")
        #expect(result.disclosed.first??.first?.isNotRevoked == true)

        let body = try RevocationRequest(ServerScene.pass, revocationKey: "first").encoded()
        let json: HTTPFields = [.contentType: "application/json"]
        let revoked = try await scene.world.response(.post, "/revocation", json, body)
        #expect(revoked.status == .ok)
        #expect(revoked.text == "OK")
        // The witness of the revoked credential is of no use any more; the other one's has to be brought up to date.
        #expect(try await scene.show(pass).answer == "{\"proofStatus\":\"INVALID\"}")
        #expect(try await scene.show(other).answer == "{\"proofStatus\":\"INVALID\"}")
        let update = try #require(
            await scene.authority.updates(
                of: ServerScene.pass,
                lastEvents: 16,
                schemes: scene.world.scene.material.schemes
            )[3]
        )
        #expect(update.events?.lastIndex == 1)
        let again = try await scene.world.response(.post, "/revocation", json, body)
        try expectError(.unknownRevocationKey, in: again)
        let unknown = try RevocationRequest(ServerScene.pass, revocationKey: "third").encoded()
        try expectError(.unknownRevocationKey, in: await scene.world.response(.post, "/revocation", json, unknown))
    }

    /// A new key of an issuer that the server gets while it runs, and with which it issues from then on.
    @Test func keysThatComeLaterCanRevoke() async throws {
        let material = try ServerScene.shared.get().material
        let (records, time) = (InMemoryRevocationRecords(), TestTime(ServerScene.now))
        let authority = RevocationAuthorityService(
            roles: [ServerScene.pass: [.server, .authority]],
            records: records,
            issuerKeys: IssuerKeyRing(),
            clock: time.sessionClock
        )
        let world = try ServerWorld {
            $0.time = time
            $0.authority = { _ in authority }
        }
        let scene = RevocationWorld(world: world, records: records, authority: authority)
        let pass = try await scene.issuePass("key")
        let request = RevocationRequest(ServerScene.pass, revocationKey: "key")
        await #expect { try await authority.revoke(request) } throws: {
            ($0 as? IRMAServerError)?.code == .revocationFailed
        }
        world.server.replaceMaterial(material)
        try await authority.revoke(request)
        #expect(try await scene.show(pass).answer == "{\"proofStatus\":\"INVALID\"}")
        // Keys that are taken away from the server still revoke.
        _ = try await scene.issuePass("other")
        world.server.replaceMaterial(ServerMaterial(schemes: material.schemes))
        try await authority.revoke(RevocationRequest(ServerScene.pass, revocationKey: "other"))
    }

    /// Credentials of one revocation key under an issuer's key that is not here, and under one that is.
    @Test func aKeyThatFailsLeavesNoCredentialOfOthersUnrevoked() async throws {
        let scene = try RevocationWorld()
        let pass = try await scene.issuePass("key")
        for counter: UInt in [1, 9] {
            let away = IssuanceRecord(
                revocationKey: "key",
                credentialType: ServerScene.pass,
                issued: Int64(counter),
                keyCounter: counter,
                attribute: 11,
                validUntil: .max
            )
            try await scene.records.add(away)
        }
        let request = RevocationRequest(ServerScene.pass, revocationKey: "key")
        for _ in 0..<2 {
            let error = await #expect(throws: IRMAServerError.self) { try await scene.authority.revoke(request) }
            #expect(error?.code == .revocationFailed)
            #expect(error?.message.contains("key 1: ") == true && error?.message.contains("key 9: ") == true)
        }
        #expect(try await scene.show(pass).answer == "{\"proofStatus\":\"INVALID\"}")
        let records = await scene.records.records(of: ServerScene.pass, revocationKey: "key")
        #expect(records.filter { $0.revokedAt == nil }.map(\.keyCounter) == [1, 9])
    }

    @Test func namesTheOnlyOneOfSeveralKeysThatFails() async throws {
        let scene = try RevocationWorld()
        _ = try await scene.issuePass("key")
        let away = IssuanceRecord(
            revocationKey: "key",
            credentialType: ServerScene.pass,
            issued: 9,
            keyCounter: 9,
            attribute: 11,
            validUntil: .max
        )
        try await scene.records.add(away)
        let request = RevocationRequest(ServerScene.pass, revocationKey: "key")
        let error = await #expect(throws: IRMAServerError.self) { try await scene.authority.revoke(request) }
        #expect(error?.code == .revocationFailed && error?.message == "key 9: no private key 9")
    }

    @Test func oneOfSeveralCredentialsWithAKey() async throws {
        let scene = try RevocationWorld()
        _ = try await scene.issuePass("key")
        scene.world.time.advance(by: .seconds(5))
        _ = try await scene.issuePass("key")
        let records = await scene.records.records(of: ServerScene.pass, revocationKey: "key")
        #expect(records.count == 2)
        try await scene.authority.revoke(
            RevocationRequest(ServerScene.pass, revocationKey: "key", issued: records[0].issued)
        )
        let after = await scene.records.records(of: ServerScene.pass, revocationKey: "key")
        #expect(after.map { $0.revokedAt != nil } == [true, false])
        try await scene.authority.revoke(RevocationRequest(ServerScene.pass, revocationKey: "key"))
        let last = await scene.records.records(of: ServerScene.pass, revocationKey: "key")
        #expect(last.allSatisfy { $0.revokedAt != nil })
    }

    /// As the existing command signs it.
    @Test(arguments: ["", nil] as [String?])
    func aSignedRevocationNeedsNoSubject(_ subject: String?) async throws {
        let secret = SecretBytes([UInt8](repeating: 7, count: 32))
        let scene = try RevocationWorld {
            $0.requestors = RequestorRegistry(
                [
                    Requestor(
                        "shop",
                        authentication: .hmac(secret, allowsShortKey: false),
                        permissions: RequestorPermissions(revoke: [ServerScene.pass.text])
                    )
                ]
            )
        }
        _ = try await scene.issuePass("key")
        let claims = RequestorTokenClaims(
            issuer: "shop",
            issuedAt: Int64(ServerScene.now.timeIntervalSince1970),
            content: .revocation(RevocationRequest(ServerScene.pass, revocationKey: "key"))
        )
        var members = try #require(claims.json().objectValue)
        members["sub"] = subject.map { .string($0) }
        let jws = try JWS.authenticate(JWTClaims(members).encoded(), header: ["alg": "HS256"], hmacKey: secret)
        let body = Array(try jws.compactSerialization().utf8)
        let response = try await scene.world.response(.post, "/revocation", [.contentType: "text/plain"], body)
        #expect(response.status == .ok, "\(response.text)")
        let records = await scene.records.records(of: ServerScene.pass, revocationKey: "key")
        #expect(records.allSatisfy { $0.revokedAt != nil } && records.count == 1)
        // It is no session request.
        try expectError(
            .invalidRequest,
            in: await scene.world.response(.post, "/session", [.contentType: "text/plain"], body)
        )
    }

    @Test func requestorsNeedPermissionToRevoke() async throws {
        let scene = try RevocationWorld {
            $0.requestors = RequestorRegistry(
                [
                    Requestor(
                        "shop",
                        authentication: .token(SecretBytes(Array("k".utf8))),
                        permissions: RequestorPermissions(revoke: ["demo.bank.mail"])
                    )
                ]
            )
        }
        let body = try RevocationRequest(ServerScene.pass, revocationKey: "first").encoded()
        let fields: HTTPFields = [.contentType: "application/json", .authorization: "k"]
        let response = try await scene.world.response(.post, "/revocation", fields, body)
        try expectError(.unauthorized, in: response)
        #expect(try response.json().member("message") == "demo.bank.pass")
        try expectError(.invalidRequest, in: await scene.world.response(.post, "/revocation", fields, Array("{}".utf8)))
        let plain = try ServerWorld()
        let refused = try await plain.response(.post, "/revocation", [.contentType: "application/json"], body)
        try expectError(.unauthorized, in: refused)
        let keyless = Array(#"{"@context":"https://irma.app/ld/request/revocation/v1","type":"demo.bank.pass"}"#.utf8)
        let open = try RevocationWorld()
        // Another server may have recorded a credential without a name.
        let nameless = IssuanceRecord(
            revocationKey: "",
            credentialType: ServerScene.pass,
            issued: 1,
            keyCounter: 3,
            attribute: 7,
            validUntil: .max
        )
        try await open.records.add(nameless)
        let unknown = try await open.world.response(.post, "/revocation", [.contentType: "application/json"], keyless)
        try expectError(.unknownRevocationKey, in: unknown)
        #expect(await open.records.records(of: ServerScene.pass, revocationKey: "").map(\.revokedAt) == [nil])
    }

    @Test func revocableCredentialsNeedAKey() async throws {
        let scene = try RevocationWorld()
        let request = CredentialRequest(ServerScene.pass, attributes: ["id": "1"])
        await expectError(.invalidRequest, "no revocationKey") {
            try await scene.world.start(ServerScene.issuance(request))
        }
        let reader = try RevocationWorld(roles: .server)
        let keyed = CredentialRequest(ServerScene.pass, attributes: ["id": "1"], revocationKey: "a")
        await expectError(.invalidRequest, "no revocation server") {
            try await reader.world.start(ServerScene.issuance(keyed))
        }
    }

    @Test func walletsAreNotToldTheRevocationKey() async throws {
        let scene = try RevocationWorld()
        let request = CredentialRequest(ServerScene.pass, attributes: ["id": "1"], revocationKey: "secret-name")
        let wallet = scene.world.wallet(try await scene.world.start(ServerScene.issuance(request)))
        let first = try await wallet.connect()
        #expect(!first.text.contains("secret-name"))
        #expect(try first.json().member("request").member("credentials").list.first?["revocationSupported"] == true)
    }

    @Test func sessionsWithoutUpdatesFail() async throws {
        let world = try ServerWorld()
        let package = try await world.start(RevocationWorld.passRequest)
        try expectError(.revocation, in: await world.wallet(package).connect())
        #expect(try await world.server.status(of: package.token) == .cancelled)
    }

    @Test func expiredRecordsAreDeleted() async throws {
        let scene = try RevocationWorld()
        _ = try await scene.issuePass("first")
        #expect(try await scene.authority.deleteExpiredRecords() == 0)
        scene.world.time.advance(by: .seconds(86_400 * 200))
        #expect(try await scene.authority.deleteExpiredRecords() == 1)
    }

    @Test func accumulatorsAreSignedAnewEveryMinute() async throws {
        let scene = try RevocationWorld()
        func time() async throws -> Int64 {
            let schemes = scene.world.scene.material.schemes
            let update = try await scene.authority.updates(of: ServerScene.pass, lastEvents: 0, schemes: schemes)[3]
            return try #require(update?.signedAccumulator.unverifiedAccumulator().time)
        }
        let first = try await time()
        scene.world.time.advance(by: .seconds(59))
        #expect(try await time() == first)
        scene.world.time.advance(by: .seconds(1))
        #expect(try await time() == first + 60)
    }

    /// Beside it, other keys of the issuer go on.
    @Test func anAccumulatorWhoseKeyCannotSignStaysAsItIs() async throws {
        let scene = try RevocationWorld()
        _ = try await scene.issuePass("a")
        let (keys, schemes) = (scene.world.scene.keys, scene.world.scene.material.schemes)
        let privateKey = try IdemixIssuerPrivateKey(
            counter: keys.privateKey.counter,
            expiryDate: keys.privateKey.expiryDate,
            p: keys.privateKey.factors.p,
            q: keys.privateKey.factors.q,
            validation: .arithmetic
        )
        var ring = IssuerKeyRing()
        try ring.add(privateKey, of: ServerScene.pass.issuer, schemes: schemes)
        let other = RevocationAuthorityService(
            roles: [ServerScene.pass: [.server, .authority]],
            records: scene.records,
            issuerKeys: ring,
            clock: scene.world.time.sessionClock
        )
        scene.world.time.advance(by: .seconds(120))
        let stored = try #require(await scene.records.accumulator(of: ServerScene.pass, keyCounter: 3))
        let told = try await other.updates(of: ServerScene.pass, lastEvents: 0, schemes: schemes)[3]
        #expect(told?.signedAccumulator == stored.signedAccumulator)
    }

    /// Other issuing servers make witnesses with the older key, too.
    @Test func eachKeyThatCanSignHasAnAccumulator() async throws {
        let scene = try ServerScene.shared.get()
        let newest = try scene.copy(counter: 7, withRevocation: true)
        let barren = try scene.copy(counter: 9, withRevocation: false)
        let schemes = try SchemeSnapshot([
            ServerScene.demo([scene.keys.publicKey, newest.publicKey, barren.publicKey])
        ])
        var ring = IssuerKeyRing()
        for keys in [scene.keys, newest, barren] {
            try ring.add(keys.privateKey, of: ServerScene.pass.issuer, schemes: schemes)
        }
        func updates(_ role: RevocationRole) async throws -> [UInt: RevocationUpdate] {
            let service = RevocationAuthorityService(
                roles: [ServerScene.pass: role],
                records: InMemoryRevocationRecords(),
                issuerKeys: ring,
                clock: TestTime(ServerScene.now).sessionClock
            )
            return try await service.updates(of: ServerScene.pass, lastEvents: 16, schemes: schemes)
        }
        let told = try await updates([.server, .authority])
        #expect(told.keys.sorted() == [3, 7])
        for (counter, update) in told { #expect(update.signedAccumulator.keyCounter == counter) }
        #expect(try await updates(.server).isEmpty)
    }

    @Test func processesThatShareRecordsLoseNoEvent() async throws {
        let scene = try RevocationWorld()
        let other = RevocationAuthorityService(
            roles: [ServerScene.pass: [.server, .authority]],
            records: scene.records,
            issuerKeys: scene.world.scene.material.issuerKeys,
            clock: scene.world.time.sessionClock
        )
        for name in ["a", "b", "c", "d"] { _ = try await scene.issuePass(name) }
        try await withThrowingTaskGroup { group in
            for (name, service) in [("a", scene.authority), ("b", other), ("c", scene.authority), ("d", other)] {
                group.addTask { try await service.revoke(RevocationRequest(ServerScene.pass, revocationKey: name)) }
            }
            try await group.waitForAll()
        }
        let update = try #require(await scene.records.accumulator(of: ServerScene.pass, keyCounter: 3))
        #expect(try update.verified(by: scene.world.scene.keys.publicKey).accumulator.index == 4)
    }
}
