import CredentialServing
import CryptoCore
import Foundation
import IRMAMessages
import IdemixCore
import JOSEKit
import JSONKit
import TestSupport
import Testing

@testable import KeyshareServer

/// The recorded requests of wallets to the reference's keyshare server, sent to this one.
///
/// With the reference's name, identifier and challenges as the randomness, and its key for tokens, the answers are the
/// recorded ones, byte for byte, but for the numbers that depend on the reference's secret.
@Suite(.enabled(if: VectorSet("irma").isAvailable, VectorSet.absence))
struct RecordedKeyshareTests {
    static let set = VectorSet("irma")

    static let files = set.files(withExtension: "json").filter { file in
        !file.path.hasPrefix("irma_configuration/")
            && ((try? file.bytes()).map { String(decoding: $0, as: UTF8.self).contains("\"wallet-keyshare\"") } ?? false)
    }

    @Test(arguments: files)
    func answersAsRecorded(file: VectorFile) async throws {
        let recording = try JSONValue(parsing: file.bytes())
        let replay = try await Replay()
        var count = 0
        for exchange in recording["exchanges"]?.arrayValue ?? [] where exchange["role"] == "wallet-keyshare" {
            let text = try #require(exchange["url"]?.stringValue)
            let url = try #require(URL(string: text))
            // The session in which the login attribute is issued is the IRMA server's.
            guard !url.path.hasPrefix("/irma/") else { continue }
            try await replay.run(exchange, path: url.path)
            count += 1
        }
        file.report(ran: count)
    }

    /// One server for the exchanges of a file.
    private final class Replay {
        let world: World
        let account: RecordedAccount
        /// P of the server's secret, by key, as each answer must have it.
        private var shares: [String: JSONValue] = [:]

        init() async throws {
            let url = try #require(RecordedKeyshareTests.set.url)
            let pem = try String(contentsOf: url.appendingPathComponent("jwtkeys/test-kss-sk-0.pem"), encoding: .utf8)
            let folder = url.appendingPathComponent("irma_configuration", isDirectory: true)
            let snapshot = try await SchemeDirectory(opening: folder).snapshot()
            account = try RecordedAccount()
            world = try World(
                issuerKeys: KeyshareIssuerKeys(of: ["test"], in: snapshot),
                signer: SoftwareSigner(PrivateKey(pem: pem), algorithm: .rsaPKCS1SHA256)
            )
        }

        func run(_ exchange: JSONValue, path: String) async throws {
            if path.hasSuffix("/client/register") {
                // The secret, the identifier and the characters of the name, in the order in which they are drawn.
                world.random.append([UInt8](repeating: 0x2a, count: 32))
                world.random.append(account.id)
                world.random.append(account.nameBytes)
            } else if try await world.accounts.account(named: account.username) == nil {
                try await account.insert(into: world)
            }
            if let challenge = exchange["responseBody"]?["challenge"]?.stringValue {
                world.random.append(try JSONBase64.base64.decode(challenge))
            }
            if let time = try time(of: exchange) { world.time.set(Date(timeIntervalSince1970: time)) }
            let headers = exchange["requestHeaders"]
            let body = try #require(exchange["requestBody"])
            let answer = try await world.post(
                path,
                body,
                username: headers?["X-Irma-Keyshare-Username"]?.stringValue,
                token: headers?["Authorization"]?.stringValue
            )
            #expect(answer.status == exchange["status"]?.numberValue.flatMap { try? $0.integer() })
            #expect(answer.contentType == exchange["responseHeaders"]?["Content-Type"]?.stringValue)
            try check(answer, exchange, path)
        }

        private func check(_ answer: World.Answer, _ exchange: JSONValue, _ path: String) throws {
            switch path.split(separator: "/").last {
            case "register":
                #expect(answer.json["irmaqr"] == exchange["responseBody"]?["irmaqr"])
                #expect(world.issuer.requests.last?.credentials.first?.attributes["email"] == account.username)
            case "verify_start", "pin_challengeresponse":
                #expect(answer.json == exchange["responseBody"])
            case "getPs":
                let recorded = try #require(exchange["responseBody"]?["ps"]?.objectValue)
                let own = try #require(answer.json["ps"]?.objectValue)
                #expect(Set(own.map(\.name)) == Set(recorded.map(\.name)))
                for (name, share) in own { expect(share, for: name) }
            case "getCommitments":
                let recorded = try #require(exchange["responseBody"]?["c"]?.objectValue)
                let own = try #require(answer.json["c"]?.objectValue)
                #expect(own.map(\.name).sorted() == recorded.map(\.name).sorted())
                for (name, commitment) in own {
                    let share = try #require(commitment["P"])
                    expect(share, for: name)
                    let names = commitment.objectValue?.map(\.name)
                    #expect(names == recorded[name]?.objectValue?.map(\.name))
                }
                last = exchange["requestBody"]?.arrayValue?.last?.stringValue
            case "getResponse":
                let recorded = try #require(exchange["responseText"]?.stringValue)
                try check(token: answer.text, as: recorded)
            default: Issue.record("an unknown exchange: \(path)")
            }
        }

        /// The last key of the last request for commitments.
        private var last: String?

        private func check(token: String, as recorded: String) throws {
            let (own, theirs) = (try JWT(compact: token), try JWT(compact: recorded))
            #expect(token.split(separator: ".").first == recorded.split(separator: ".").first)
            for token in [own, theirs] {
                #expect(throws: Never.self) {
                    _ = try token.jws.verify(with: RecordedAccount.tokenKey(), policy: [.rs256])
                }
            }
            let claims = try payload(own).members
            let expected = try payload(theirs).members
            #expect(claims.map(\.name) == expected.map(\.name))
            for name in ["iss", "iat", "sub"] { #expect(claims[name] == expected[name]) }
            let (proof, theirProof) = (claims["ProofP"], expected["ProofP"])
            #expect(proof?.objectValue?.map(\.name) == theirProof?.objectValue?.map(\.name))
            #expect(proof?["c"] == theirProof?["c"])
            let key = try #require(last)
            #expect(proof?["P"] == shares[key])
        }

        private func expect(_ share: JSONValue, for name: String) {
            #expect(shares[name] == nil || shares[name] == share)
            shares[name] = share
        }

        /// The time of an exchange, from the tokens in it.
        private func time(of exchange: JSONValue) throws -> Double? {
            let message = exchange["responseBody"]?["message"]?.stringValue
            let answer = [exchange["responseText"]?.stringValue, message].compactMap { $0 }.first { $0.contains(".") }
            if let answer, let issued = try claims(of: answer)["iat"]?.numberValue {
                return Double(try issued.integer(as: Int64.self))
            }
            if let request = exchange["requestBody"]?["auth_request_jwt"]?.stringValue {
                // Wallets give a login three minutes.
                let expiry = try claims(of: request)["exp"]?.numberValue
                return try expiry.map { number in Double(try number.integer(as: Int64.self)) - 180 }
            }
            // Some time after the token of the request was made.
            guard let token = exchange["requestHeaders"]?["Authorization"]?.stringValue, !token.isEmpty else {
                return nil
            }
            let issued = try claims(of: token)["iat"]?.numberValue
            return try issued.map { number in Double(try number.integer(as: Int64.self)) + 1 }
        }

        private func claims(of token: String) throws -> JWTClaims { try payload(try JWT(compact: token)) }

        private func payload(_ token: JWT) throws -> JWTClaims {
            let payload = try #require(token.jws.unverifiedPayload)
            return try JWTClaims(decoding: payload)
        }
    }
}

/// The account of the recordings, as far as the enrolment and a token tell of it.
struct RecordedAccount {
    let username: String
    let pin: String
    let publicKey: PublicKey
    let id: [UInt8]

    init() throws {
        let file = try #require(RecordedKeyshareTests.set.file("keyshare-enroll-test.json"))
        let recording = try JSONValue(parsing: file.bytes())
        let exchanges = try #require(recording["exchanges"]?.arrayValue)
        func payload(_ token: String?) throws -> [UInt8] {
            let token = try #require(token)
            return try #require(try JWT(compact: token).jws.unverifiedPayload)
        }
        let enrolment = exchanges.compactMap { $0["requestBody"]?["enrollment_jwt"]?.stringValue }.first
        let claims = try KeyshareEnrollmentClaims(decoding: try payload(enrolment))
        let message = exchanges.compactMap { $0["responseBody"]?["message"]?.stringValue }.first
        pin = claims.pin
        publicKey = try PublicKey(subjectPublicKeyInfo: claims.publicKey)
        id = try KeyshareAccountClaims(decoding: try payload(message)).tokenID
        let names = exchanges.compactMap { $0["requestHeaders"]?["X-Irma-Keyshare-Username"]?.stringValue }
        username = try #require(names.first)
    }

    /// Bytes from which a server draws the name.
    var nameBytes: [UInt8] {
        let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        return username.compactMap { characters.firstIndex(of: $0).map { UInt8($0) } }
    }

    /// Inserts the account, with a secret of its own.
    func insert(into world: World) async throws {
        let secrets = UserSecrets(
            pin: .plain(try PaddedPIN(pin).bytes),
            keyshareSecret: .random(),
            id: SecretBytes(id),
            publicKey: publicKey
        )
        let record = try SecretSeal(world.storageKeys, random: .system).seal(secrets, of: username)
        try await world.accounts.insert(
            KeyshareAccount(username: username, language: "en", coreData: record, lastSeen: 0)
        )
    }

    /// The key of the scheme for tokens.
    static func tokenKey() throws -> PublicKey {
        let url = try #require(RecordedKeyshareTests.set.url)
        let file = url.appendingPathComponent("irma_configuration/test/kss-0.pem")
        return try PublicKey(pem: String(contentsOf: file, encoding: .utf8))
    }
}
