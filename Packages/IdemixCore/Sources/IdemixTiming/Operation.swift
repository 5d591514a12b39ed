import CryptoCore
import Foundation
import IdemixCore
import TestSupport

/// The secrets that an operation works with.
enum SecretClass: CaseIterable {
    /// Short secrets: a secret key of 1, hidden attributes that are absent.
    case first
    /// Long secrets.
    case second
    /// Secrets for the runs before the measurement.
    case warmUp
}

/// An operation on secrets, with the same random numbers for every class.
struct Operation {
    let name: String
    private let body: (SecretClass, UInt64, ((() -> Void) -> Void)) throws -> Void

    /// Prepares the operation, and passes the measured part to a closure.
    func run(_ secrets: SecretClass, seed: UInt64, _ measure: (() -> Void) -> Void) throws {
        try body(secrets, seed, measure)
    }

    /// All operations, always in the same order.
    ///
    /// - Parameter copies: The number of copies of the secrets of each class.
    static func all(copies: Int) throws -> [Operation] {
        let scene = try TimingScene(copies: copies)
        return holder(scene) + keyshareServer(scene) + issuer()
    }

    private static func holder(_ scene: TimingScene) -> [Operation] {
        [
            Operation(name: "holder: commitment for an issuance") { secrets, seed, measure in
                let builder = IdemixProofListBuilder(using: scene.randomness(seed))
                let secretKey = try scene.secretKey(secrets, seed)
                measure { _ = try? builder.addIssuance(publicKey: scene.keys.publicKey, secretKey: secretKey) }
            },
            Operation(name: "holder: commitments of a disclosure") { secrets, seed, measure in
                let request = try scene.request(secrets, seed)
                measure { _ = try? PreparedIdemixDisclosure(request, using: scene.randomness(seed)) }
            },
            Operation(name: "holder: responses") { secrets, seed, measure in
                let builder = IdemixProofListBuilder(using: scene.randomness(seed))
                try builder.add(scene.request(secrets, seed))
                _ = try builder.addIssuance(
                    publicKey: scene.keys.publicKey,
                    secretKey: scene.secretKey(secrets, seed)
                )
                measure { _ = try? builder.answer(scene.challenge) }
            },
        ]
    }

    private static func keyshareServer(_ scene: TimingScene) -> [Operation] {
        let keys = [(identifier: KeyshareKeyIdentifier(issuer: "a.b", counter: 1), publicKey: scene.keys.publicKey)]
        return [
            Operation(name: "keyshare server: commitment and share") { secrets, seed, measure in
                let secret = try scene.keyshareSecret(secrets, seed)
                measure { _ = try? secret.commit(to: keys, using: scene.randomness(seed)) }
            },
            Operation(name: "keyshare server: response") { secrets, seed, measure in
                let secret = try scene.keyshareSecret(secrets, seed)
                let commitment = try secret.commit(to: keys, using: scene.randomness(seed))
                measure { _ = try? commitment.response(toChallenge: scene.challenge) }
            },
        ]
    }

    /// The computations of an issuer and a revocation authority with the factors.
    ///
    /// The rest of a signature works modulo the public n with numbers that the requester learns, and its time varies
    /// with n.
    private static func issuer() -> [Operation] {
        let scene = IssuerTimingScene()
        return [
            Operation(name: "issuer: inverse of e") { secrets, seed, measure in
                try scene.withGroup(secrets, seed) { group in
                    measure { _ = group.inverse(of: scene.e) }
                }
            },
            Operation(name: "issuer: powers for a signature") { secrets, seed, measure in
                try scene.withGroup(secrets, seed) { group in
                    guard let inverse = group.inverse(of: scene.e) else { return }
                    measure {
                        let randomizer = group.randomExponent(using: scene.randomness(seed))
                        let element = group.element(scene.square)
                        let A = element.squarePower(inverse)
                        _ = (group.isPower(scene.square, of: A, scene.e), element.power(randomizer))
                    }
                }
            },
            Operation(name: "issuer: powers of a requester's number") { secrets, seed, measure in
                let number = scene.number(secrets)
                try scene.withGroup(.first, seed) { group in
                    measure { _ = group.element(number).isSquare }
                }
            },
            Operation(name: "issuer: response") { secrets, seed, measure in
                try scene.withGroup(secrets, seed) { group in
                    guard let inverse = group.inverse(of: scene.e) else { return }
                    let randomizer = group.randomExponent(using: scene.randomness(seed))
                    measure {
                        _ = group.response(randomizer: randomizer, challenge: scene.challenge, secret: inverse)
                    }
                }
            },
            Operation(name: "authority: witness") { secrets, seed, measure in
                try scene.withGroup(secrets, seed) { group in
                    measure {
                        if let inverse = group.inverse(of: scene.prime) {
                            _ = group.element(scene.square).power(inverse)
                        }
                    }
                }
            },
        ]
    }
}
