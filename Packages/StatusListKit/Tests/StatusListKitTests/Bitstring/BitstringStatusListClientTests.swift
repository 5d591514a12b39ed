import CredentialTransport
import Foundation
@_spi(Layers) import JOSEKit
import JSONKit
import StatusListKit
import Synchronization
import Testing

/// Lists as a client fetches them, with a verifier that reads a credential without a signature.
struct BitstringStatusListClientTests {
    private static let url: ExactText = "https://issuer.example/lists/1"
    private static let issuer: ExactText = "did:example:issuer"
    private static let now = Date(timeIntervalSince1970: 1_780_000_000)

    /// Reads the members of a credential, and counts how often.
    private final class Verifier: BitstringListVerifier {
        let count = Mutex(0)

        func verify(
            _ bytes: [UInt8],
            at url: ExactText,
            for issuer: ExactText,
            at time: Date
        ) -> Verification<BitstringListCredential> {
            count.withLock { $0 += 1 }
            var checklist = Checklist([.issuerTrust], at: time)
            let credential = checklist.check(.issuerTrust) { () throws(CheckFault) in
                guard issuer == BitstringStatusListClientTests.issuer, let json = try? JSONValue(parsing: bytes) else {
                    throw .failed(.issuerNotTrusted, "the issuer has no list here")
                }
                let until = json["validUntil"]?.numberValue.flatMap { try? $0.double() }
                return BitstringListCredential(
                    id: json["id"]?.stringValue.map { ExactText($0) },
                    types: (json["type"]?.arrayValue ?? []).compactMap { $0.stringValue.map { ExactText($0) } },
                    issuer: issuer,
                    subject: json["credentialSubject"]?.objectValue ?? [:],
                    validFrom: (json["validFrom"]?.numberValue.flatMap { try? $0.double() })
                        .map { Date(timeIntervalSince1970: $0) },
                    validUntil: until.map { Date(timeIntervalSince1970: $0) }
                )
            }
            if credential?.subject["tolerated"] != nil { checklist.add(Deviation("odd", at: ["proof"])) }
            return checklist.verification(of: credential)
        }
    }

    private func credential(
        _ form: BitstringStatusList.Form = .bitstring,
        purpose: JSONValue = "revocation",
        entrySize: Int = 1,
        _ change: (inout JSONObject) -> Void = { _ in }
    ) throws -> JSONObject {
        var list = try BitstringStatusList(entrySize: entrySize)
        try list.set(1, at: 7)
        let name = form == .bitstring ? "BitstringStatusList" : "StatusList2021"
        var members: JSONObject = [
            "id": .string(Self.url.text), "type": ["VerifiableCredential", .string(name + "Credential")],
            "credentialSubject": [
                "type": .string(name), "statusPurpose": purpose,
                "encodedList": .string(try list.encodedList(form: form)),
            ],
        ]
        change(&members)
        return members
    }

    private func status(
        _ credential: JSONObject,
        at index: Int = 7,
        _ purpose: StatusPurpose = .revocation,
        form: BitstringStatusList.Form = .bitstring,
        size: Int = 1,
        of issuer: ExactText = issuer
    ) async throws -> CredentialStatus {
        try await finding(credential, at: index, purpose, form: form, size: size, of: issuer).status
    }

    private func finding(
        _ credential: JSONObject,
        at index: Int = 7,
        _ purpose: StatusPurpose,
        form: BitstringStatusList.Form = .bitstring,
        size: Int = 1,
        of issuer: ExactText = issuer
    ) async throws -> StatusFinding {
        let body = JSONValue.object(credential).encoded()
        let client = BitstringStatusListClient(
            transport: InMemoryHTTPTransport([Self.url.text: .ok(body, type: .json)]),
            verifier: Verifier()
        )
        let entry = try BitstringStatusListEntry(
            form: form,
            purpose: purpose,
            index: index,
            listURL: Self.url,
            size: size,
            messages: size == 1 ? [:] : Dictionary(uniqueKeysWithValues: (0..<1 << UInt64(size)).map { ($0, "m") })
        )
        return await client.status(for: entry, of: issuer, at: Self.now)
    }

    private func isUnknown(_ status: CredentialStatus, because text: String) -> Bool {
        if case .unknown(let obstacle) = status { obstacle.contains(text) } else { false }
    }

    @Test(arguments: [BitstringStatusList.Form.bitstring, .statusList2021])
    func givesTheStatusOfEachPurpose(_ form: BitstringStatusList.Form) async throws {
        let revocation = try credential(form)
        #expect(try await status(revocation, form: form) == .revoked)
        #expect(try await status(revocation, at: 8, form: form) == .valid(asOf: Self.now))
        let suspension = try credential(form, purpose: ["suspension", "revocation"])
        #expect(try await status(suspension, .suspension, form: form) == .suspended)
        #expect(try await status(suspension, at: 8, .suspension, form: form) == .valid(asOf: Self.now))
        let message = try credential(form, purpose: "message")
        #expect(try await status(message, .message, form: form) == .application(1))
        #expect(try await status(message, at: 8, .message, form: form) == .valid(asOf: Self.now))
        let refresh = try credential(form, purpose: "refresh")
        #expect(try await status(refresh, .refresh, form: form) == .valid(asOf: Self.now))
        #expect(try await status(refresh, at: 8, .refresh, form: form) == .valid(asOf: Self.now))
        let other = try credential(form, purpose: "other")
        #expect(try await status(other, StatusPurpose(rawValue: "other"), form: form) == .application(1))
        #expect(try await status(other, at: 8, StatusPurpose(rawValue: "other"), form: form) == .valid(asOf: Self.now))
    }

    @Test func takesCompressedCredentials() async throws {
        let body = try Deflate.compress(JSONValue.object(credential()).encoded(), format: .gzip)
        let client = BitstringStatusListClient(
            transport: InMemoryHTTPTransport([Self.url.text: .ok(body, type: .json).encoded("gzip")]),
            verifier: Verifier()
        )
        _ = try await client.list(at: Self.url, for: Self.issuer, at: Self.now)
    }

    @Test func tellsOfAnUpdatedCredential() async throws {
        let refresh = try credential(purpose: ["refresh", "revocation"])
        #expect(try await finding(refresh, .refresh).isUpdateAvailable)
        #expect(try await !finding(refresh, at: 8, .refresh).isUpdateAvailable)
        #expect(try await !finding(refresh, .revocation).isUpdateAvailable)
    }

    @Test func readsEntriesOfSeveralBits() async throws {
        let credential = try credential(purpose: "message", entrySize: 4)
        #expect(try await status(credential, .message, size: 4) == .application(1))
        // The same bits with one bit an entry.
        #expect(try await status(credential, at: 31, .message) == .application(1))
    }

    @Test func refusesListsThatDoNotFit() async throws {
        let short = try credential()
        #expect(isUnknown(try await status(short, size: 2), because: "131072"))
        #expect(isUnknown(try await status(short, at: 131_072), because: "indexOutOfRange"))
        #expect(isUnknown(try await status(short, .suspension), because: "purpose"))
        #expect(isUnknown(try await status(short, form: .statusList2021), because: "purpose"))
        let changes: [(String, (inout JSONObject) -> Void)] = [
            ("another list", { $0["id"] = "https://issuer.example/lists/2" }),
            ("no bitstring", { $0["type"] = ["VerifiableCredential"] }),
            ("no bitstring", { $0["credentialSubject"] = ["type": "Person"] }),
            ("no purpose", { $0["credentialSubject"] = ["type": "BitstringStatusList", "encodedList": "u"] }),
            (
                "encodedList",
                { $0["credentialSubject"] = ["type": "BitstringStatusList", "statusPurpose": "revocation"] }
            ),
            ("no longer valid", { $0["validUntil"] = 1_779_999_940 }),
        ]
        for (text, change) in changes {
            let found = try await status(credential(.bitstring, change))
            #expect(isUnknown(found, because: text), "\(found)")
        }
    }

    @Test func refusesWhatTheVerifierRefuses() async throws {
        let status = try await status(credential(), of: "did:example:other")
        #expect(isUnknown(status, because: "issuerNotTrusted"))
    }

    /// The message of the error has the words of its cause already.
    @Test func saysEachObstacleOnce() async throws {
        let refused = try await status(credential(), of: "did:example:other")
        let client = BitstringStatusListClient(transport: InMemoryHTTPTransport([:]), verifier: Verifier())
        let entry = try BitstringStatusListEntry(purpose: .revocation, index: 7, listURL: Self.url)
        let missing = await client.status(for: entry, of: Self.issuer, at: Self.now).status
        for (status, words) in [(refused, "the issuer has no list here"), (missing, "the status is 404")] {
            guard case .unknown(let obstacle) = status else {
                Issue.record("\(status)")
                continue
            }
            #expect(obstacle.components(separatedBy: words).count == 2, "\(obstacle)")
        }
    }

    @Test func fetchesAListOncePerIssuerAndWhileItIsValid() async throws {
        let verifier = Verifier()
        let body = JSONValue.object(try credential { $0["validUntil"] = 1_780_000_100 }).encoded()
        let transport = InMemoryHTTPTransport([Self.url.text: .ok(body, type: .json)])
        let client = BitstringStatusListClient(transport: transport, verifier: verifier)
        for _ in 0..<3 { _ = try await client.list(at: Self.url, for: Self.issuer, at: Self.now) }
        #expect(transport.requests.count == 1)
        #expect(verifier.count.withLock { $0 } == 1)
        await #expect(throws: StatusListError.self) {
            try await client.list(at: Self.url, for: "did:example:other", at: Self.now)
        }
        #expect(transport.requests.count == 2)
        await #expect {
            try await client.list(at: Self.url, for: Self.issuer, at: Self.now.addingTimeInterval(160))
        } throws: {
            ($0 as? StatusListError)?.code == .refused
        }
        #expect(transport.requests.count == 3)
    }

    @Test func keepsAListForItsTimeToLive() async throws {
        let body = JSONValue.object(
            try credential { members in
                var subject = members["credentialSubject"]?.objectValue ?? [:]
                subject["ttl"] = 300_000
                members["credentialSubject"] = .object(subject)
            }
        ).encoded()
        let transport = InMemoryHTTPTransport([Self.url.text: .ok(body, type: .json)])
        let client = BitstringStatusListClient(transport: transport, verifier: Verifier())
        for (offset, requests) in [(0.0, 1), (299, 1), (301, 2)] {
            _ = try await client.list(at: Self.url, for: Self.issuer, at: Self.now.addingTimeInterval(offset))
            #expect(transport.requests.count == requests)
        }
    }

    @Test func saysThatAListCannotBeHad() async throws {
        let absent = BitstringStatusListClient(transport: InMemoryHTTPTransport([:]), verifier: Verifier())
        await #expect { try await absent.list(at: Self.url, for: Self.issuer, at: Self.now) } throws: {
            ($0 as? StatusListError)?.code == .notFetched
        }
        let offline = BitstringStatusListClient(transport: nil, verifier: Verifier())
        await #expect { try await offline.list(at: Self.url, for: Self.issuer, at: Self.now) } throws: {
            ($0 as? StatusListError)?.code == .notAvailable
        }
        try await offline.load(
            JSONValue.object(credential()).encoded(),
            at: Self.url,
            for: Self.issuer,
            at: Self.now
        )
        #expect(try await offline.list(at: Self.url, for: Self.issuer, at: Self.now).purposes == [.revocation])
    }

    @Test func boundsTheCredential() async throws {
        let body = JSONValue.object(try credential()).encoded()
        let transport = InMemoryHTTPTransport([Self.url.text: .ok(body, type: .json)])
        let limits = StatusListLimits(tokenSize: body.count - 1)
        let client = BitstringStatusListClient(transport: transport, verifier: Verifier(), limits: limits)
        await #expect { try await client.list(at: Self.url, for: Self.issuer, at: Self.now) } throws: {
            ($0 as? StatusListError)?.code == .notFetched
        }
        let offline = BitstringStatusListClient(transport: nil, verifier: Verifier(), limits: limits)
        await #expect { try await offline.load(body, at: Self.url, for: Self.issuer, at: Self.now) } throws: {
            ($0 as? StatusListError)?.code == .limitExceeded
        }
    }

    /// The credential of a list that was issued some seconds from now, and that revokes the entry 7 or not.
    private func body(issuedAt offset: Int, isRevoked: Bool, validFor lifetime: Int = 100_000) throws -> [UInt8] {
        let list = try BitstringStatusList()
        let now = Int(Self.now.timeIntervalSince1970)
        return JSONValue.object(
            try credential { members in
                members["validFrom"] = .integer(now + offset)
                members["validUntil"] = .integer(now + lifetime)
                guard !isRevoked, var subject = members["credentialSubject"]?.objectValue else { return }
                subject["encodedList"] = (try? list.encodedList(form: .bitstring)).map { .string($0) }
                members["credentialSubject"] = .object(subject)
            }
        ).encoded()
    }

    private func isRevoked(_ client: BitstringStatusListClient, at offset: TimeInterval) async throws -> Bool {
        let entry = try BitstringStatusListEntry(form: .bitstring, purpose: .revocation, index: 7, listURL: Self.url)
        return await client.status(for: entry, of: Self.issuer, at: Self.now + offset).status == .revoked
    }

    @Test func anOlderListTakesThePlaceOfNoLaterOne() async throws {
        let later = try body(issuedAt: -100, isRevoked: true)
        let older = try body(issuedAt: -200, isRevoked: false)
        let answers = Mutex([older, later])
        let transport = InMemoryHTTPTransport { _ throws(TransportError) in
            .ok(answers.withLock { $0.popLast() } ?? older, type: .json)
        }
        let client = BitstringStatusListClient(transport: transport, verifier: Verifier())
        #expect(try await isRevoked(client, at: 0))
        #expect(try await isRevoked(client, at: 4000))
        #expect(transport.requests.count == 2)
        try await client.load(older, at: Self.url, for: Self.issuer, at: Self.now + 4000)
        #expect(try await isRevoked(client, at: 4001))
        let newest = try body(issuedAt: -50, isRevoked: false)
        try await client.load(newest, at: Self.url, for: Self.issuer, at: Self.now + 4000)
        #expect(try await !isRevoked(client, at: 4001))
    }

    @Test func aLoadedListIsUsedWithoutANetworkUntilItEnds() async throws {
        let client = BitstringStatusListClient(transport: nil, verifier: Verifier())
        try await client.load(
            body(issuedAt: -100, isRevoked: true, validFor: 90_000),
            at: Self.url,
            for: Self.issuer,
            at: Self.now
        )
        #expect(try await isRevoked(client, at: 90_059))
        await expectRefusal(.refused) {
            try await client.list(at: Self.url, for: Self.issuer, at: Self.now + 90_060)
        }
    }

    // MARK: Supply

    private func snapshot(_ credentials: [UInt8]...) -> BitstringListSnapshot {
        var snapshot = BitstringListSnapshot()
        for credential in credentials { snapshot.insert(credential, for: Self.url) }
        return snapshot
    }

    @Test func aSnapshotAnswersWithoutANetwork() async throws {
        let verifier = Verifier()
        let stored = snapshot(try body(issuedAt: -100, isRevoked: true, validFor: 90_000)).encoded()
        let client = BitstringStatusListClient(
            transport: nil,
            snapshot: try BitstringListSnapshot(decoding: stored),
            verifier: verifier
        )
        // Verified when it is used, and once.
        #expect(verifier.count.withLock { $0 } == 0)
        #expect(try await isRevoked(client, at: 0))
        #expect(try await isRevoked(client, at: 10))
        #expect(verifier.count.withLock { $0 } == 1)
        #expect(try await isRevoked(client, at: 90_059))
        await expectRefusal(.refused) { try await client.list(at: Self.url, for: Self.issuer, at: Self.now + 90_060) }
        // What is verified for one issuer does not answer for another.
        await expectRefusal(.refused) { try await client.list(at: Self.url, for: "did:example:other", at: Self.now) }
        await expectRefusal(.notAvailable) {
            try await client.list(at: "https://issuer.example/lists/2", for: Self.issuer, at: Self.now)
        }
    }

    @Test func aSnapshotStandsInForAnOutageAndForEarlierLists() async throws {
        let older = try body(issuedAt: -200, isRevoked: false)
        let later = try body(issuedAt: -100, isRevoked: true)
        let missing = BitstringStatusListClient(
            transport: InMemoryHTTPTransport([:]),
            snapshot: snapshot(later),
            verifier: Verifier()
        )
        #expect(try await isRevoked(missing, at: 0))
        let transport = InMemoryHTTPTransport([Self.url.text: .ok(older, type: .json)])
        let behind = BitstringStatusListClient(transport: transport, snapshot: snapshot(later), verifier: Verifier())
        #expect(try await isRevoked(behind, at: 0))
        let ahead = InMemoryHTTPTransport([Self.url.text: .ok(later, type: .json)])
        let current = BitstringStatusListClient(transport: ahead, snapshot: snapshot(older), verifier: Verifier())
        #expect(try await isRevoked(current, at: 0))
    }

    @Test func theLatestOfLoadedListsCounts() async throws {
        let client = BitstringStatusListClient(transport: nil, verifier: Verifier())
        #expect(try await !isRevoked(client, at: 0))
        client.load(snapshot(try body(issuedAt: -100, isRevoked: true)))
        #expect(try await isRevoked(client, at: 0))
        client.load(snapshot(try body(issuedAt: -200, isRevoked: false)))
        #expect(try await isRevoked(client, at: 1))
        // One that the verifier refuses is in no other one's way.
        client.load(snapshot([0x30]))
        #expect(try await isRevoked(client, at: 2))
        client.load(snapshot(try body(issuedAt: -50, isRevoked: false)))
        #expect(try await !isRevoked(client, at: 3))
    }

    @Test func keptListsAreStoredForLater() async throws {
        let transport = InMemoryHTTPTransport([
            Self.url.text: .ok(try body(issuedAt: -100, isRevoked: true), type: .json)
        ])
        let online = BitstringStatusListClient(transport: transport, verifier: Verifier())
        let missing: ExactText = "https://issuer.example/lists/2"
        let failures = await online.prefetch([missing, Self.url], for: Self.issuer, at: Self.now)
        #expect(failures.map(\.url) == [missing])
        #expect(failures.map(\.error.code) == [.notFetched])
        let kept = online.keptLists(at: Self.now)
        #expect(kept.map(\.uri) == [Self.url.text])
        #expect(kept.first?.issuedAt == Self.now - 100)
        #expect(kept.first?.expirationTime == Self.now + 100_000)
        #expect(await online.refresh(at: Self.now + 1).isEmpty)
        let count = transport.requests.count
        #expect(await online.refresh(at: Self.now + 80_000).isEmpty)
        #expect(transport.requests.count == count + 1)
        let stored = online.snapshot().encoded()
        let offline = BitstringStatusListClient(
            transport: nil,
            snapshot: try BitstringListSnapshot(decoding: stored),
            verifier: Verifier()
        )
        #expect(try await isRevoked(offline, at: 0))
        #expect(offline.keptLists(at: Self.now).map(\.uri) == [Self.url.text])
        #expect(offline.snapshot().credentials.count == 1)
        online.removeAll()
        #expect(online.keptLists(at: Self.now + 80_000).isEmpty)
    }

    @Test func refusesOtherSnapshots() throws {
        for bytes in [[], [0x80, 0x80], Array("[]".utf8), [0x81, 0x83, 0x61, 0x61, 0x61, 0x62, 0x41, 0x00]] {
            expectRefusal(.malformed) { try BitstringListSnapshot(decoding: bytes) }
        }
        let encoded = snapshot([1, 2, 3]).encoded()
        #expect(try BitstringListSnapshot(decoding: encoded)[Self.url] == [1, 2, 3])
        expectRefusal(.limitExceeded) {
            try BitstringListSnapshot(decoding: encoded, limits: StatusListLimits(tokenSize: 2))
        }
    }

    @Test func deviationsOfTheCredentialOfAListAreReported() async throws {
        let body = JSONValue.object(
            try credential { members in
                var subject = members["credentialSubject"]?.objectValue ?? [:]
                subject["tolerated"] = true
                members["credentialSubject"] = .object(subject)
            }
        ).encoded()
        let transport = InMemoryHTTPTransport([Self.url.text: .ok(body, type: .json)])
        let client = BitstringStatusListClient(transport: transport, verifier: Verifier())
        let entry = try BitstringStatusListEntry(form: .bitstring, purpose: .revocation, index: 7, listURL: Self.url)
        let finding = await client.status(for: entry, of: Self.issuer, at: Self.now)
        #expect(finding == StatusFinding(.revoked, deviations: [Deviation("odd", at: ["proof"])]))
    }
}
