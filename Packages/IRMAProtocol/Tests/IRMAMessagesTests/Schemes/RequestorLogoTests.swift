import CredentialTransport
import CryptoCore
import Foundation
import IRMAMessages
import JSONKit
import TestSupport
import Testing

/// The logos of requestors, which their names vouch for.
@Suite struct RequestorLogoTests {
    private static let url = "https://s.example"
    private static let picture: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]
    private static let other: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x00]

    private static func name(_ bytes: [UInt8]) -> String {
        HashAlgorithm.sha256.digest(of: bytes).hex
    }

    private static func path(_ bytes: [UInt8]) -> SchemePath { SchemePath("assets/\(name(bytes)).png") }

    private func fixture(logo: String = name(picture), wizard: String = name(other)) throws -> SchemeFixture {
        var fixture = try SchemeFixture()
        fixture.files = [
            "description.json": SchemeFixture.bytes(
                #"{"id":"demo","schemetype":"requestor","url":"https://s.example","languages":["en"]}"#
            ),
            "requestors.json": SchemeFixture.bytes(
                """
                [{"id":"demo.r","scheme":"demo","name":{"en":"R"},"hostnames":["r.example"],"logo":"\(logo)",
                  "wizards":{"demo.r.w":{"id":"demo.r.w","logo":"\(wizard)"}}},
                 {"id":"demo.s","scheme":"demo","name":{"en":"S"},"hostnames":["s.example"],"logo":null}]
                """
            ),
            Self.path(Self.picture): Self.picture, Self.path(Self.other): Self.other,
        ]
        return fixture
    }

    private func server(_ files: SchemeFiles) throws -> InMemoryHTTPTransport {
        let type = try MediaType("application/octet-stream")
        return InMemoryHTTPTransport(
            Dictionary(
                uniqueKeysWithValues: files.files.map { path, bytes in
                    ("\(Self.url)/\(path.text)", .ok(bytes, type: type))
                }
            )
        )
    }

    @Test func areThoseThatTheirNamesPromise() async throws {
        let files = try await fixture().verified()
        #expect(files.index.digests[Self.path(Self.picture)] == nil)
        let scheme = try RequestorScheme(files)
        #expect(Set(scheme.logos.values) == [Self.picture, Self.other])
        let schemes = try SchemeSnapshot(requestorSchemes: [scheme])
        let first = try #require(schemes.requestor(host: "r.example", at: SchemeFixture.time))
        #expect(schemes.logo(of: first) == Self.picture)
        let second = try #require(schemes.requestor(host: "s.example", at: SchemeFixture.time))
        #expect(schemes.logo(of: second) == nil)
    }

    @Test func othersAreRefused() async throws {
        for path in [Self.path(Self.picture), Self.path(Self.other)] {
            for bytes in [nil, [1], Self.picture + Self.other] as [[UInt8]?] {
                var fixture = try fixture()
                fixture.files[path] = bytes
                await expectRefusal(.digestMismatch, at: path.text) { [fixture] in
                    try RequestorScheme(await fixture.verified())
                }
            }
        }
        let name = Self.name(Self.picture)
        for logo in ["", "../\(name)", "\(name)/..", String(name.dropLast()), name + "0", "g" + name.dropFirst()] {
            let fixture = try fixture(logo: logo)
            await expectRefusal(.malformedDescription) { try RequestorScheme(await fixture.verified()) }
            let wizard = try self.fixture(wizard: logo)
            await expectRefusal(.malformedDescription) { try RequestorScheme(await wizard.verified()) }
        }
    }

    @Test func comeWithUpdates() async throws {
        let fixture = try fixture()
        let files = try await fixture.verified()
        let store = InMemorySchemeStore()
        let transport = try server(files.stored)
        let updater = SchemeUpdater(transport: transport, store: store)
        let result = try await updater.install("demo", from: Self.url, pinned: fixture.signer.publicKey)
        #expect(result.files == files)
        #expect(await store.files(of: "demo") == files.stored)
        // A logo that is kept is not fetched again.
        let next = try await fixture.changing("requestors.json", "\"R\"", "\"T\"").verified(at: SchemeFixture.time + 60)
        let later = try server(next.stored)
        let again = try await SchemeUpdater(transport: later, store: store).update("demo")
        #expect(again.files == next)
        #expect(!later.requests.contains { $0.url.path.contains("assets") })
    }

    @Test func areFetchedWhereTheyAreMissing() async throws {
        let files = try await fixture().verified()
        var incomplete = files.stored
        incomplete.files[Self.path(Self.other)] = nil
        let store = InMemorySchemeStore([incomplete])
        let transport = try server(files.stored)
        _ = try await SchemeUpdater(transport: transport, store: store).update("demo")
        #expect(await store.files(of: "demo") == files.stored)
        #expect(transport.requests.filter { $0.url.path.contains("assets") }.count == 1)
    }

    @Test func wrongOnesLeaveTheStoredVersion() async throws {
        let fixture = try fixture()
        let offered = try await fixture.verified().stored
        for bytes in [nil, Self.other] as [[UInt8]?] {
            var files = offered
            files.files[Self.path(Self.picture)] = bytes
            let store = InMemorySchemeStore()
            let updater = SchemeUpdater(transport: try server(files), store: store)
            await expectRefusal(bytes == nil ? .retrievalFailed : .digestMismatch) {
                try await updater.install("demo", from: Self.url, pinned: fixture.signer.publicKey)
            }
            #expect(await store.files(of: "demo") == nil)
        }
    }

    @Test func areKeptInFolders() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("logos-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let directory = try SchemeDirectory(opening: folder)
        let files = try await fixture().verified()
        try await directory.replace(with: files, unsigned: [:])
        #expect(try await directory.files(of: "demo") == files.stored)
        let snapshot = try await directory.snapshot()
        #expect(snapshot.requestorSchemes["demo"]?.logos.count == 2)
    }

    @Test(.enabled(if: VectorSet("irma").isAvailable, VectorSet.absence))
    func ofARecordedSchemeAreRead() async throws {
        let root = try #require(VectorSet("irma").url)
        let directory = try SchemeDirectory(opening: root.appendingPathComponent("irma_configuration"))
        let files = try #require(try await directory.verifiedFiles(of: "test-requestors"))
        let scheme = try RequestorScheme(files)
        #expect(scheme.logos.count == 1)
        let schemes = try SchemeSnapshot(requestorSchemes: [scheme])
        let requestor = try #require(schemes.requestor(host: "localhost", at: SchemeFixture.time))
        #expect(schemes.logo(of: requestor)?.starts(with: [0x89, 0x50, 0x4e, 0x47]) == true)
    }
}
