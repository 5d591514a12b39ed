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
        let one = try await scene.world.response(.get, Self.base + "/update/1/3/")
        #expect(one.headerFields[.cacheControl] == "max-age=40")
        let update = try RevocationUpdate(decodingCBOR: one.body)
        #expect(update.events?.count == 1)
        #expect(update.signedAccumulator == updates[3]?.signedAccumulator)
        _ = try update.verified(by: scene.world.scene.keys.publicKey)
        let none = try await scene.world.response(.get, Self.base + "/update/16/4")
        #expect(none.status == .ok)
        #expect(none.headerFields[.cacheControl] == "max-age=0")
        #expect(none.body == [0xf6])
    }

    @Test func aKeyThatFailsHidesNoOther() async throws {
        let scene = try await RevocationWorld.withFailingKey(beside: [7])
        let all = try await scene.world.response(.get, Self.base + "/update/16")
        #expect(all.status == .ok)
        let updates = try RevocationUpdates(decodingCBOR: all.body).updates
        #expect(updates.keys.sorted() == [7])
        let newest = try await scene.world.response(.get, Self.base + "/update/16/7")
        #expect(try RevocationUpdate(decodingCBOR: newest.body) == updates[7])
        // Asked for by itself, it is not taken for one without an accumulator.
        expectCBORError(.revocation, try await scene.world.response(.get, Self.base + "/update/16/3"))
    }

    @Test func refusesUpdatesWhereEachKeyFails() async throws {
        let scene = try await RevocationWorld.withFailingKey(beside: [])
        expectCBORError(.revocation, try await scene.world.response(.get, Self.base + "/update/16"))
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
        let wide = try await scene.world.response(.get, Self.base + "/events/3/0/1024")
        #expect(wide.headerFields[.cacheControl] == "max-age=0")
        #expect(try RevocationEventList(decodingCBOR: wide.body).count == 17)
        expectCBORError(.revocation, try await scene.world.response(.get, Self.base + "/events/3/32/48"))
        for range in ["16/0", "0/0", "1/17", "0/17", "0/100016", "0/18446744073709551600"] {
            expectCBORError(.revocation, try await scene.world.response(.get, Self.base + "/events/3/\(range)"))
        }
        for path in ["/events/3/a/16", "/events/3/-16/0", "/update/99999999999999999999999", "/update/x/3"] {
            expectCBORError(.invalidRequest, try await scene.world.response(.get, Self.base + path))
        }
    }

    @Test(arguments: [(0, 4), (1, 1), (3, 3), (4, 4), (9, 4), (Int.max, 4)])
    func updatesHaveTheLastEventsAndAllForTheNumber0(_ number: Int, _ count: Int) async throws {
        let scene = try RevocationWorld()
        for name in ["one", "two", "three"] {
            _ = try await scene.issuePass(name)
            try await scene.authority.revoke(RevocationRequest(ServerScene.pass, revocationKey: name))
        }
        let one = try await scene.world.response(.get, Self.base + "/update/\(number)/3")
        let all = try await scene.world.response(.get, Self.base + "/update/\(number)")
        let update = try RevocationUpdate(decodingCBOR: one.body)
        #expect(update.events?.count == count)
        #expect(update.events?.lastIndex == 3)
        _ = try update.verified(by: scene.world.scene.keys.publicKey)
        #expect(try RevocationUpdates(decodingCBOR: all.body).updates == [3: update])
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
