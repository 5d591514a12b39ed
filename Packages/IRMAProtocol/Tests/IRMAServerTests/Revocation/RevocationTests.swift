import CBORKit
import CredentialServing
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import IdemixCore
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

        let body = try RevocationRequest(ServerScene.pass, revocationKey: "first").encodedBytes()
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
        let unknown = try RevocationRequest(ServerScene.pass, revocationKey: "third").encodedBytes()
        try expectError(.unknownRevocationKey, in: await scene.world.response(.post, "/revocation", json, unknown))
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
        let body = try RevocationRequest(ServerScene.pass, revocationKey: "first").encodedBytes()
        let fields: HTTPFields = [.contentType: "application/json", .authorization: "k"]
        let response = try await scene.world.response(.post, "/revocation", fields, body)
        try expectError(.unauthorized, in: response)
        #expect(try response.json().member("message") == "demo.bank.pass")
        try expectError(.invalidRequest, in: await scene.world.response(.post, "/revocation", fields, Array("{}".utf8)))
        let plain = try ServerWorld()
        let refused = try await plain.response(.post, "/revocation", [.contentType: "application/json"], body)
        try expectError(.revocation, in: refused)
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

/// The endpoints of revocation.
@Suite struct RevocationEndpointTests {
    private static let base = "/irma/revocation/demo.bank.pass"

    private func expectCBORError(
        _ name: RemoteError.Name,
        _ response: InMemoryResponse,
        status: Int? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(response.headerFields[.contentType] == "application/octet-stream", sourceLocation: sourceLocation)
        let error = RemoteError(revocationBody: response.body, status: response.status.code)
        #expect(error.name == name, "\(error)", sourceLocation: sourceLocation)
        #expect(response.status.code == status ?? name.status, sourceLocation: sourceLocation)
        #expect(response.headerFields[.cacheControl] == "no-store", sourceLocation: sourceLocation)
    }

    @Test func updatesAreCachedUntilTheyAreSignedAnew() async throws {
        let scene = try RevocationWorld()
        let all = try await scene.world.response(.get, Self.base + "/update/16")
        #expect(all.status == .ok)
        #expect(all.headerFields[.contentType] == "application/octet-stream")
        #expect(all.headerFields[.cacheControl] == "max-age=60")
        let updates = try RevocationUpdates(decodingCBOR: all.body).updates
        #expect(updates.keys.sorted() == [3])
        scene.world.time.advance(by: .seconds(20))
        let one = try await scene.world.response(.get, Self.base + "/update/0/3/")
        #expect(one.headerFields[.cacheControl] == "max-age=40")
        let update = try RevocationUpdate(decodingCBOR: one.body)
        #expect(update.events == nil)
        #expect(update.signedAccumulator == updates[3]?.signedAccumulator)
        _ = try update.verified(by: scene.world.scene.keys.publicKey)
        expectCBORError(.revocation, try await scene.world.response(.get, Self.base + "/update/16/4"))
    }

    @Test func completeListsOfEventsAreCachedForAnHour() async throws {
        let scene = try RevocationWorld()
        for number in 1...16 { _ = try await scene.issuePass("\(number)") }
        let part = try await scene.world.response(.get, Self.base + "/events/3/0/16")
        #expect(part.headerFields[.cacheControl] == "max-age=0")
        for number in 1...16 {
            try await scene.authority.revoke(RevocationRequest(ServerScene.pass, revocationKey: "\(number)"))
        }
        let whole = try await scene.world.response(.get, Self.base + "/events/3/0/16")
        #expect(whole.headerFields[.cacheControl] == "max-age=3600")
        #expect(try RevocationEventList(decodingCBOR: whole.body).count == 16)
        let rest = try await scene.world.response(.get, Self.base + "/events/3/16/32")
        #expect(rest.headerFields[.cacheControl] == "max-age=0")
        #expect(try RevocationEventList(decodingCBOR: rest.body).firstIndex == 16)
        expectCBORError(.revocation, try await scene.world.response(.get, Self.base + "/events/3/32/48"))
        for range in ["16/0", "0/0", "1/17", "0/17", "0/1024", "0/18446744073709551600"] {
            expectCBORError(.revocation, try await scene.world.response(.get, Self.base + "/events/3/\(range)"))
        }
        for path in ["/events/3/a/16", "/events/3/-16/0", "/update/99999999999999999999999", "/update/x/3"] {
            expectCBORError(.invalidRequest, try await scene.world.response(.get, Self.base + path))
        }
    }

    @Test func onlyWithTheRole() async throws {
        let authority = try RevocationWorld(roles: .authority)
        for path in ["/update/16", "/update/16/3", "/events/3/0/16", "/updateevents"] {
            expectCBORError(.invalidRequest, try await authority.world.response(.get, Self.base + path))
        }
        let reader = try RevocationWorld(roles: .server)
        expectCBORError(.invalidRequest, try await reader.world.response(.post, Self.base + "/issuancerecord/3"))
        let path = "/irma/revocation/demo.bank.card/update/16"
        expectCBORError(.invalidRequest, try await reader.world.response(.get, path))
        expectCBORError(.invalidRequest, try await reader.world.response(.get, Self.base + "/nothing"), status: 404)
        expectCBORError(.invalidRequest, try await reader.world.response(.put, Self.base + "/update/16"), status: 405)
        let none = try ServerWorld()
        expectCBORError(.invalidRequest, try await none.response(.get, Self.base + "/update/16"))
    }

    @Test func recordsOfOtherServersAreSigned() async throws {
        let scene = try RevocationWorld()
        let signer = try scene.world.scene.keys.privateKey.revocationSigner()
        func record(_ type: CredentialTypeIdentifier = ServerScene.pass, counter: UInt = 3) -> IssuanceRecord {
            IssuanceRecord(
                revocationKey: "away",
                credentialType: type,
                issued: 1,
                keyCounter: counter,
                attribute: 7,
                validUntil: .max
            )
        }
        let path = Self.base + "/issuancerecord/3"
        let good = try await record().signed(with: signer)
        #expect(try await scene.world.response(.post, path, [:], good).status == .ok)
        #expect(await scene.records.records(of: ServerScene.pass, revocationKey: "away").count == 1)
        let other = try SoftwareSigner(PrivateKey.generate(.p256))
        let forged = try await record().signed(with: other)
        expectCBORError(.unauthorized, try await scene.world.response(.post, path, [:], forged))
        for body in [[], Array("{}".utf8), [0xff], Array(repeating: 0x9f, count: 70_000)] {
            let response = try await scene.world.response(.post, path, [:], body)
            #expect(response.status.code == 403 || response.status.code == 400)
        }
        let wrongType = try await record(ServerScene.card).signed(with: signer)
        expectCBORError(.invalidRequest, try await scene.world.response(.post, path, [:], wrongType))
        let wrongKey = try await record(counter: 4).signed(with: signer)
        expectCBORError(.invalidRequest, try await scene.world.response(.post, path, [:], wrongKey))
        expectCBORError(.revocation, try await scene.world.response(.post, Self.base + "/issuancerecord/9", [:], good))
        #expect(await scene.records.records(of: ServerScene.pass, revocationKey: "away").count == 1)
    }
}
