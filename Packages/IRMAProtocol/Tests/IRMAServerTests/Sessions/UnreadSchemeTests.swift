import CredentialServing
import CryptoCore
import HTTPTypes
import IRMAMessages
import Testing

@testable import IRMAServer

/// A server that could not read a scheme.
@Suite struct UnreadSchemeTests {
    private let time = TestTime(ServerScene.now)

    /// The scene's material without the scheme `demo`.
    private func material(unread: Set<SchemeIdentifier>) throws -> ServerMaterial {
        let schemes = try ServerScene.shared.get().material.schemes.schemes
        let others = try SchemeSnapshot(schemes.values.filter { $0.id != "demo" })
        return ServerMaterial(schemes: others, unreadSchemes: unread)
    }

    @Test func leavesSessionsOfOthersToThem() async throws {
        let store = MemorySessionStore(clock: time.sessionClock)
        func world(_ material: ServerMaterial?) throws -> ServerWorld {
            try ServerWorld {
                $0.store = store
                $0.time = time
                $0.material = material
            }
        }
        let (whole, damaged) = (try world(nil), try world(try material(unread: ["demo"])))
        for request in [ServerScene.nameRequest, ServerScene.issuance(ServerScene.cardRequest)] {
            let package = try await whole.start(request)
            let wallet = whole.wallet(package)
            let asked = try await wallet.request()
            let isIssuance = request.kind == .issuing
            let body =
                isIssuance
                ? try wallet.commitments(for: asked).0.encoded()
                : try wallet.proofs([(whole.scene.card(), [2])], [[(0, 2)]], for: asked).encoded()
            let message = InMemoryRequest.post(
                wallet.path + (isIssuance ? "/commitments" : "/proofs"),
                headerFields: [.authorization: "wallet"],
                body: body
            )
            let refused = try await damaged.http.response(to: message)
            #expect(refused.status == .internalServerError)
            #expect(try await whole.server.status(of: package.token) == .connected)
            #expect(try await whole.http.response(to: message).status == .ok)
            #expect(try await damaged.server.status(of: package.token) == .done)
        }
    }

    /// The names of a scheme that could not be read are not known to be wrong.
    @Test func takesPermissionsThatNameIt() throws {
        let permissions = RequestorPermissions(
            disclose: ["demo.*", "demo.bank.card.name"],
            issue: ["demo.bank.card"],
            revoke: ["demo.bank.*"]
        )
        let registry = RequestorRegistry(
            [Requestor("shop", authentication: .token(SecretBytes(Array("k".utf8))), permissions: permissions)]
        )
        func start(_ material: ServerMaterial) throws {
            _ = try ServerWorld {
                $0.requestors = registry
                $0.material = material
            }
        }
        try start(try material(unread: ["demo"]))
        let error = #expect(throws: IRMAServerError.self) { try start(try material(unread: [])) }
        #expect(error?.message == "unknown scheme")
    }
}
