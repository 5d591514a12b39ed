import IRMAMessages
import IdemixCore
import Synchronization
import Testing

@testable import IRMAServer

/// Newer schemes, which come when a test lets them.
final class PlayMaterialSource: ServerMaterialSource {
    private struct State {
        var newer: ServerMaterial?
        var updates: [Set<SchemeIdentifier>?] = []
        var gate: AsyncStream<Void>?
    }

    private let state: Mutex<State>

    init(_ newer: ServerMaterial? = nil) {
        state = Mutex(State(newer: newer))
    }

    /// The schemes of all updates so far.
    var updates: [Set<SchemeIdentifier>?] { state.withLock { $0.updates } }

    /// Holds back the next update until the continuation is finished.
    func close() -> AsyncStream<Void>.Continuation {
        let (gate, continuation) = AsyncStream<Void>.makeStream()
        state.withLock { $0.gate = gate }
        return continuation
    }

    func update(_ schemes: Set<SchemeIdentifier>?) async -> ServerMaterial? {
        let gate = state.withLock { state in
            state.updates.append(schemes)
            return state.gate.take()
        }
        if let gate { for await _ in gate {} }
        return state.withLock { $0.newer.take() }
    }

    /// The material of the scene with other types of credentials, and the issuer's key under another counter.
    static func material(_ types: CredentialTypeDescription...) throws -> ServerMaterial {
        let scene = try ServerScene.shared.get()
        let demo = try #require(scene.material.schemes.schemes["demo"])
        let key = scene.keys.publicKey
        let other = try IdemixIssuerPublicKey(
            counter: 7,
            expiryDate: key.expiryDate,
            elements: key.elements,
            revocationKey: key.revocationKey
        )
        let scheme = try IRMAScheme(
            demo.description,
            issuers: Array(demo.issuers.values),
            credentialTypes: Array(demo.credentialTypes.values) + types,
            publicKeys: ["demo.bank": [key, other]]
        )
        return ServerMaterial(
            schemes: try scene.material.schemes.replacing(scheme),
            issuerKeys: scene.material.issuerKeys
        )
    }
}
