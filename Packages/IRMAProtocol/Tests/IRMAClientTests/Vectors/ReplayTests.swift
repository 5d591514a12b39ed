import CredentialTransport
import CredentialWallet
import CryptoCore
import Foundation
import IRMAMessages
import IdemixCore
import JSONKit
import TestSupport
import Testing

@testable import IRMAClient

/// Our wallet with the answers that the reference's servers gave its own.
@Suite(.enabled(if: VectorSet("irma").isAvailable, VectorSet.absence))
struct ReplayTests {
    private static let keyshareKey = Result { try PrivateKey.generateRSA(bits: 2048) }

    @Test(arguments: Recorded.files)
    func behavesAsTheReference(file: VectorFile) async throws {
        let json = try JSONValue(parsing: file.bytes())
        let exchanges = json.member("exchanges").list.map { RecordedServer.Exchange($0) }.filter(\.isOfWallet)
        guard !exchanges.isEmpty else {
            return file.report(ran: 0, passedOver: [(file.path, "has no exchange of a wallet")])
        }
        let replay = try await Replay(json, exchanges, keyshareKey: Self.keyshareKey.get())
        if let missing = replay.missing {
            return file.report(ran: 0, passedOver: [(file.path, "no recording has the credential \(missing)")])
        }
        try await replay.run()
        #expect(replay.server.deviations.isEmpty)
        file.report(ran: 1)
    }
}

/// A recorded wallet, and the run of its session.
struct Replay {
    let json: JSONValue
    let schemes: SchemeSnapshot
    let server: RecordedServer
    let wallet: IRMAWallet
    /// A credential that the recording names and that no recording has.
    let missing: String?

    init(_ json: JSONValue, _ exchanges: [RecordedServer.Exchange], keyshareKey: PrivateKey) async throws {
        self.json = json
        schemes = try await Self.schemes(keyshareKey: keyshareKey.publicKey)
        let isTampered = json.member("name").text.hasPrefix("invalid-")
        server = try RecordedServer(exchanges, comparesBodies: !isTampered, keyshareKey: keyshareKey)
        let chosen = json.member("clientOutcome").member("choices").list.flatMap(\.list).flatMap(\.list)
        let offered = json.member("clientOutcome").member("candidates").list.flatMap(\.list).flatMap(\.list).flatMap(
            \.list
        )
        let used = json.member("wallet").member("usedCredentials").list
        let new = Set(json.member("wallet").member("newCredentials").list.map { $0.member("hash").text })
        let names = chosen.map { $0.member("CredentialHash").text } + offered.map { $0.member("CredentialHash").text }
        var needed = Set(names + used.map { $0.member("hash").text }).subtracting(new)
        needed = needed.filter { Recorded.credentials[Recorded.key($0, of: json)] != nil }
        missing = chosen.map { $0.member("CredentialHash").text }.first {
            !new.contains($0) && Recorded.credentials[Recorded.key($0, of: json)] == nil
        }

        var secret = try json.member("wallet").member("secretKey").decimalInteger().bytes
        secret = Array(repeating: 0, count: 32 - secret.count) + secret
        let secretKey = try IdemixHolderSecretKey(decoding: secret)
        let storage = InMemoryCredentialStorage()
        try await storage.put(SecretBytes(secret), at: StoragePlace(.irmaKeys, key: Array("secret key".utf8)))
        let time = try Self.time(json, chosen.map { $0.member("CredentialHash").text })
        let header = exchanges.compactMap { $0.header["X-Irma-Maxprotocolversion"]?.stringValue }.first
        wallet = try await IRMAWallet(
            storage: storage,
            schemes: WalletSchemes(schemes),
            transport: server.transport(),
            options: WalletOptions(
                isDeveloperMode: true,
                versions: .v2_4...(try ProtocolVersion(header ?? "2.9")),
                retries: 0,
                pairingInterval: .zero,
                preparedDisclosures: 0
            ),
            clock: WalletClock(now: { time }, timer: ContinuousClock()),
            using: try Self.randomness(json, storing: needed.count)
        )
        try await Self.fill(wallet, needed, secretKey, schemes, exchanges, json)
    }

    /// The recorded schemes, with a key of the keyshare server that the test can sign with.
    private static func schemes(keyshareKey: PublicKey) async throws -> SchemeSnapshot {
        let recorded = try await Recorded.schemes()
        let scheme = try #require(recorded.schemes["test"])
        var keys: [IssuerIdentifier: [IdemixIssuerPublicKey]] = [:]
        for issuer in scheme.issuers.keys {
            keys[issuer] = scheme.keyCounters(of: issuer).compactMap { scheme.publicKey(of: issuer, counter: $0) }
        }
        return try recorded.replacing(
            IRMAScheme(
                scheme.description,
                issuers: Array(scheme.issuers.values),
                credentialTypes: Array(scheme.credentialTypes.values),
                publicKeys: keys,
                keyshareKeys: [0: keyshareKey]
            )
        )
    }

    /// The recorded time; where the reference was made to show an expired credential, a time before its expiry.
    private static func time(_ json: JSONValue, _ chosen: [String]) throws -> Date {
        let isoText = json["created"]?.stringValue
        let issued = json.member("wallet").member("newCredentials").list.first?.member("issuedAt").numberValue
        var time = Date(timeIntervalSince1970: Double(try issued?.integer(as: Int.self) ?? 0))
        if let isoText { time = try Date(isoText, strategy: .iso8601) }
        for hash in chosen {
            guard
                let expiry = Recorded.credentials[Recorded.key(hash, of: json)]?.member("metadata").member("expiry")
                    .numberValue
            else { continue }
            let skipsCheck = json.member("requestorRequest").member("skipExpiryCheck").list.isEmpty == false
            let date = Date(timeIntervalSince1970: Double(try expiry.integer(as: Int.self)))
            if date < time, !skipsCheck { time = date - 1 }
        }
        return time
    }

    /// The wallet's own secrets of recorded issuances: v' = v − v'' and m' = m − m'', so that the recorded signatures fit.
    private static func randomness(_ json: JSONValue, storing count: Int) throws -> ScriptedRandomSource {
        var script: [Int: [[UInt8]?]] = [:]
        // The places of the credentials that the test puts into the storage.
        script[16] = Array(repeating: nil, count: count)
        let created = json.member("wallet").member("newCredentials").list
        for exchange in json.member("exchanges").list where exchange["method"] == "POST" {
            let (request, response) = (exchange.member("requestBody"), exchange.member("responseBody"))
            // The randomizer of a shown signature has as many bits as v'.
            for proof in (request["proofs"] ?? request.member("combinedProofs")).list where proof["A"] != nil {
                script[vPrimeSize(try BigInteger(json: proof.member("A"))), default: []].append(nil)
            }
            guard let nonce = request["n_2"] else { continue }
            script[16, default: []].append(padded(try BigInteger(json: nonce).bytes, 16))
            for message in response.arrayValue ?? response.member("sigs").list {
                let issued = try IssuedCLSignature(json: message)
                let credential = try #require(
                    try created.first {
                        try $0.member("signature").member("e").decimalInteger() == issued.signature.e
                    }
                )
                let v = try credential.member("signature").member("v").decimalInteger()
                let size = vPrimeSize(issued.signature.A)
                script[size, default: []].append(padded((v - issued.signature.v).bytes, size))
                for (index, share) in issued.issuerShares {
                    let value = try credential.member("attributes").list[index].decimalInteger()
                    script[32, default: []].append(padded((value - share).bytes, 32))
                }
            }
        }
        return ScriptedRandomSource(script)
    }

    /// The size in bytes of v' under the key of a signature.
    private static func vPrimeSize(_ A: BigInteger) -> Int { A.bitCount > 1024 ? 272 : 138 }

    private static func padded(_ bytes: [UInt8], _ size: Int) -> [UInt8] {
        Array(repeating: 0, count: max(0, size - bytes.count)) + bytes
    }

    /// Puts the recorded credentials and the account into the wallet.
    private static func fill(
        _ wallet: IRMAWallet,
        _ hashes: Set<String>,
        _ secretKey: IdemixHolderSecretKey,
        _ schemes: SchemeSnapshot,
        _ exchanges: [RecordedServer.Exchange],
        _ json: JSONValue
    ) async throws {
        let library = hashes.compactMap { Recorded.credentials[Recorded.key($0, of: json)] }
        let ordered = try library.sorted {
            try $0.member("issuedAt").numberValue?.integer(as: Int.self) ?? 0
                < $1.member("issuedAt").numberValue?.integer(as: Int.self) ?? 0
        }
        for recorded in ordered {
            let type = CredentialTypeIdentifier(recorded.member("type").text)
            let counter = try recorded.member("metadata").member("keyCounter").numberValue?.integer(as: UInt.self)
            let publicKey = try #require(schemes.publicKey(of: type.issuer, counter: counter ?? 0))
            let signature = recorded.member("signature")
            let witness = try recorded["nonRevocationWitness"].map { json in
                try ReceivedWitness(json: json).verified(by: publicKey)
            }
            let credential = try IdemixCredential(
                publicKey: publicKey,
                signature: CLSignature(
                    A: try signature.member("A").decimalInteger(),
                    e: try signature.member("e").decimalInteger(),
                    v: try signature.member("v").decimalInteger(),
                    keyshareP: try signature["keyshareP"].map { try $0.decimalInteger() }
                ),
                secretKey: secretKey,
                attributes: try recorded.member("attributes").list.dropFirst().map { try $0.decimalInteger() },
                witness: witness
            )
            _ = try await wallet.core.vault.add(
                [credential],
                schemes: schemes,
                at: wallet.core.clock.now(),
                entry: SessionLogEntry(time: wallet.core.clock.now(), kind: .issuing, host: ""),
                completing: nil,
                forgetting: nil
            )
        }
        guard json["pin"] == nil else { return }
        let keyshare = exchanges.filter { $0.role == "wallet-keyshare" }
        guard let first = keyshare.first else { return }
        let account = WalletKeyshareAccount(
            scheme: "test",
            username: first.header["X-Irma-Keyshare-Username"]?.text ?? "",
            nonce: SecretBytes([1, 2, 3]),
            isComplete: true
        )
        try await wallet.core.vault.put(account)
        guard !keyshare.contains(where: { $0.url.hasSuffix("verify_start") }) else { return }
        let expiry = wallet.core.clock.now().timeIntervalSince1970 + 300
        await wallet.core.tokens.put(first.header["Authorization"]?.text ?? "", expiresAt: expiry, of: account)
    }

    // MARK: The run

    func run() async throws {
        let outcome = json.member("clientOutcome")
        var session: WalletSession? =
            json["pin"] != nil
            ? try await wallet.enroll(at: "test", pin: json.member("pin").text)
            : try wallet.session(with: SessionPointer(json: json.member("sessionPtr")))
        var position = 0
        while let current = session {
            session = try await run(current, outcome, position)
            position += 1
        }
        let issued = try await wallet.log().reversed().flatMap(\.issued).map(\.type.text)
        let new = json.member("wallet").member("newCredentials").list.map { $0.member("type").text }
        #expect(issued.suffix(new.count).sorted() == new.sorted())
        let hashes = Set(await wallet.credentials().map { $0.hash.hexText })
        for credential in json.member("wallet").member("newCredentials").list {
            #expect(hashes.contains(credential.member("hash").text), "the recorded credential was issued")
        }
    }

    private func run(_ session: WalletSession, _ outcome: JSONValue, _ position: Int) async throws -> WalletSession? {
        let request = try await session.request { code in
            #expect(code == outcome.member("pairingCode").text)
        }
        let choices = outcome.member("choices").list
        try check(request, outcome.member("candidates").list, position)
        switch outcome.member("status").text {
        case "cancelled", "cancelled unsatisfiable":
            #expect(request.isSatisfiable == (outcome.member("satisfiable").list.first?.boolValue == true))
            #expect(await session.cancel())
            return nil
        case "failure":
            let choice = try choice(for: request, choices.indices.contains(position) ? choices[position] : .null)
            let error = await #expect(throws: WalletError.self) { try await session.answer(choice, pin: pin) }
            let status = json.member("irmaSessions").list.first?.member("expected").member("proofStatus").stringValue
            #expect(
                outcome.member("error").text.hasSuffix(error?.code.kind.name ?? "") || error?.code == .rejected
                    || error?.code == .api
            )
            if let status, error?.code == .rejected { #expect(error?.proofStatus?.name == status) }
            return nil
        default:
            let choice = try choice(for: request, choices.indices.contains(position) ? choices[position] : .null)
            return try await session.answer(choice, pin: pin).nextSession
        }
    }

    private var pin: KeysharePINHandler {
        { prompt in prompt.remainingAttempts == nil ? "54321" : "12345" }
    }

    /// Compares the candidates with those of the reference, by the hashes of the credentials that some recording has.
    private func check(_ request: WalletRequest, _ recorded: [JSONValue], _ position: Int) throws {
        guard recorded.indices.contains(position) else { return }
        #expect(request.disjunctions.count == recorded[position].list.count)
        for (own, other) in zip(request.disjunctions, recorded[position].list) {
            let ownHashes = Set(own.candidates.map { Set($0.credentials.compactMap { $0.hash?.hexText }) })
            let known = other.list.map { $0.list.map { $0.member("CredentialHash").text }.filter { !$0.isEmpty } }
                .filter { $0.allSatisfy { Recorded.credentials[Recorded.key($0, of: json)] != nil } }
            #expect(ownHashes.subtracting([[]]) == Set(known.map { Set($0) }).subtracting([[]]))
        }
    }

    private func choice(for request: WalletRequest, _ recorded: JSONValue) throws -> WalletChoice {
        var candidates: [DisclosureCandidate] = []
        for (position, disjunction) in request.disjunctions.enumerated() {
            let chosen = recorded.list.indices.contains(position) ? recorded.list[position].list : []
            let hashes = Set(chosen.map { $0.member("CredentialHash").text })
            let types = chosen.map { $0.member("Type").text }
            let found = disjunction.usableCandidates.first { candidate in
                Set(candidate.credentials.compactMap { $0.hash?.hexText }) == hashes
                    && disjunction.disjunction.choices[candidate.choice].attributes.map(\.type.text) == types
            }
            candidates.append(try #require(found ?? disjunction.usableCandidates.first))
        }
        return WalletChoice(candidates)
    }
}
