import CredentialServing
import CredentialTesting
import CryptoCore
import Foundation
import IRMAMessages
import IdemixCore
import KeyshareServer
import Synchronization
import TestSupport

/// The date of a test, which stands still until the test advances it.
final class TestTime: Sendable {
    private let current: Mutex<Date>

    init(_ date: Date = Date(timeIntervalSince1970: 1_800_000_000)) {
        current = Mutex(date)
    }

    var date: Date { current.withLock { $0 } }
    var seconds: Int64 { Int64(date.timeIntervalSince1970) }

    func advance(by seconds: TimeInterval) {
        current.withLock { $0 += seconds }
    }

    func set(_ date: Date) {
        current.withLock { $0 = date }
    }

    var clock: SessionClock { SessionClock(now: { self.date }, timer: ManualClock()) }
}

/// A source that gives prepared bytes to the first who ask for their number, and repeatable ones to others.
final class ScriptedRandom: RandomSource {
    private let prepared: Mutex<[[UInt8]]>
    private let rest = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 3))

    init(_ prepared: [[UInt8]] = []) {
        self.prepared = Mutex(prepared)
    }

    func append(_ bytes: [UInt8]) {
        prepared.withLock { $0.append(bytes) }
    }

    func bytes(_ count: Int) -> [UInt8] {
        let found = prepared.withLock { prepared -> [UInt8]? in
            guard let position = prepared.firstIndex(where: { $0.count == count }) else { return nil }
            return prepared.remove(at: position)
        }
        return found ?? rest.bytes(count)
    }
}

/// An IRMA server that records what it is asked for.
final class RecordingIssuer: LoginAttributeIssuer {
    struct Refused: Error {}

    private let state = Mutex<(requests: [SessionRequest], isBroken: Bool)>(([], false))

    var requests: [SessionRequest] { state.withLock { $0.requests } }

    func breakDown() {
        state.withLock { $0.isBroken = true }
    }

    func start(_ request: SessionRequest) async throws -> SessionPointer {
        try state.withLock { state in
            state.requests.append(request)
            if state.isBroken { throw Refused() }
        }
        return SessionPointer(url: "https://irma.example/session/abc", kind: .issuing)
    }
}

/// Keys that take a while to make.
enum TestKeys {
    static let signer = Result { try SoftwareSigner(PrivateKey.generateRSA(bits: 2048), algorithm: .rsaPKCS1SHA256) }

    /// Two issuers' keys.
    static let issuers = Result {
        let randomness = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 17))
        return try (0..<2).map { counter in
            try IdemixIssuerKeyPair.generate(
                .bits1024,
                counter: UInt(counter + 1),
                expiryDate: Date(timeIntervalSince1970: 1_900_000_000),
                baseCount: 6,
                using: randomness
            )
        }
    }

    static let names = [
        KeyshareKeyIdentifier(issuer: "demo.bank", counter: 1), KeyshareKeyIdentifier(issuer: "demo.shop", counter: 2),
    ]
}
