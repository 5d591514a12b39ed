import CryptoCore
import Foundation
import IdemixCore
import TestSupport
import Testing

@testable import KeyshareServer

/// Records that an independent program wrote in the reference's form.
enum ReferenceRecord {
    static let key = "4c343cea72f518d8506823ca803e473bf66f5685cae76ae7e60fcb85957acdaa"
    static let keyFile = "78563412" + key
    static let secret = "3fb44d0540c4769bec3ac094fded16e3130eb0bd3c65fae65447df7f0efbb579"
    static let id = "285437db8c5e1541aa49708b4abd51642a065b66e4bac0901e75b44ce2d0cebe"
    static let pin = "cGluIG9mIGEgdGVzdA==\n"
    static let devicePublicKey = """
        3059301306072a8648ce3d020106082a8648ce3d03010703420004f9ebe464147cc102d92324d099d927c1a50e42d57a08a116ffec0a29\
        819d8c6570baf7d12888902a6a0c1d67add103123c859ab69bf8e9431c9384930d4b7eee
        """

    /// A secret of 32 bytes, and no key.
    static let old = """
        785634126b86b273ff34fce19d6b804ebf2d5fa830b568a63049065c52908c7772880e495b1becf48ea680be6dcfd09e149d2f9ff5f7238d8599d\
        ef455a6fc71ab4e44316ccdab426d9efaddface7a3fe87b2e9bf1684a7726126b588ca794ba215590f564eb802e1f503b400d4343ced8a66073dd\
        12727fcb7d929f0c0f6dedf2c109fbd529babdd1bb39552bd6c992d386506cca35a823dc762f8e28fd0a8fa9c8a788178c706c39dd208ffee039b\
        1defd57524a3d0bb4c53c2e450a
        """
    /// A secret of 64 bytes, and a key.
    static let new = """
        78563412d4735e3a265e16eee03f5971d5c19266cf589e7429aa3656306be48ba537de4a55b84a53eb50d3bb83590fdab9db65d3d0fc3c2177206\
        66a631d159652f92e36e9fb82ab95514949d97f1a5ba39e2d47671351c8a5c58e63482ad90f0c73d09b3743f17794e4158c1730e06fa789c24c42\
        21de977c9ac5f62f4f3a2cfa301366b1ac60a4f3c73d8cb8d5b47735f97807420411bca86c59af4e24f0d8e64329335d45b24f8d9f65fc5428e43\
        a9c276d0f70552ac12f3755e6a559abf69686abbaaf7f4c631ffce911d39c912be2a9190440bab0e21b27a50923175da1da3ebef8625df6ece140\
        da234c8b1cf95ed3e1ee2b6ab0d9dcdb8299bd923fd20a277721400ca9582f5389cb596644031595c960684b29381a72d070e639b2892c55305f8\
        840649aebf44cc9be5de071a7fe4ab515a8cc6fcf22e0ee059148b3e73948c3
        """
    /// A secret of 64 bytes, and `null` for the key.
    static let withNull = """
        785634124e07408562bedb8b60ce05c1692821947abcacdc8a2c4e31de9f210b32bd1486af847313d8a5acf84770c5cafd2e4f0a53743907de071\
        fc1532cd277c95cbabdbf432ddbfd85a66e5823301a35b4f66d1f1b5295306511f0ad7aaedb0f6af7359f673ce9cbe7dfd969263243bc7a4daf0d\
        2ad9b726fae2d1375afec62eeeaacd469a234e838a625f2c3d10ac3a81d418b1700df58c499a24407ec56cc4327b6eadc9216c16eb6bedb2ebe83\
        8519734d86cd17db90028958e6822b538423ae80333b9bd9ed0256ef531320cf3b3fdb976c9558c3c5f67ba14981d56e892b80d11032ee0e8
        """

    static func bytes(_ hex: String) throws -> [UInt8] { try #require([UInt8](hex: hex)) }

    static func storageKey() throws -> StorageKey { try StorageKey(decoding: bytes(keyFile)) }
}

@Suite struct RecordTests {
    private let random = ScriptedRandom()

    private func seal(_ writing: StorageKey? = nil) throws -> SecretSeal {
        let reference = try ReferenceRecord.storageKey()
        return SecretSeal(try StorageKeyring(writing: writing ?? reference, reading: [reference]), random: random)
    }

    private func exposed(_ secret: SecretBytes) -> [UInt8] { secret.withUnsafeBytes { Array($0) } }

    @Test(arguments: [ReferenceRecord.old, ReferenceRecord.new, ReferenceRecord.withNull])
    func readsRecordsOfTheReference(hex: String) throws {
        let record = try seal().open(try ReferenceRecord.bytes(hex), of: "anyone")
        let secrets = record.secrets
        #expect(record.form == .reference && record.keyID == 0x1234_5678)
        #expect(exposed(secrets.id) == (try ReferenceRecord.bytes(ReferenceRecord.id)))
        #expect(exposed(secrets.keyshareSecret.encodedBytes) == (try ReferenceRecord.bytes(ReferenceRecord.secret)))
        guard case .plain(let pin) = secrets.pin else { throw CocoaError(.coderInvalidValue) }
        #expect(constantTimeEqual(pin, try PaddedPIN(ReferenceRecord.pin).bytes))
        let key = try ReferenceRecord.bytes(ReferenceRecord.devicePublicKey)
        #expect(secrets.publicKey?.subjectPublicKeyInfo == (hex == ReferenceRecord.new ? key : nil))
    }

    /// The nonce apart, a record is the bytes that the reference writes.
    @Test func writesRecordsOfTheReference() throws {
        let bytes = try ReferenceRecord.bytes(ReferenceRecord.new)
        let secrets = try seal().open(bytes, of: "anyone").secrets
        random.append(Array(bytes[4..<16]))
        #expect(try seal().seal(secrets, of: "anyone") == bytes)
    }

    private func stretchedSecrets() async throws -> UserSecrets {
        var secrets = try seal().open(try ReferenceRecord.bytes(ReferenceRecord.new), of: "").secrets
        secrets.pin = .stretched(try await stretcher().stretch(try PaddedPIN("cGlu\n")))
        return secrets
    }

    private func stretcher() throws -> PINStretcher {
        PINStretcher(
            try World.cheap.get(),
            gate: WorkGate(maximumRunning: 1, maximumWaiting: 0),
            random: random
        )
    }

    @Test func keepsAStretchedPIN() async throws {
        let secrets = try await stretchedSecrets()
        let bytes = try seal().seal(secrets, of: "alice")
        let record = try seal().open(bytes, of: "alice")
        #expect(record.form == .stretched)
        #expect(record.secrets.id == secrets.id)
        #expect(record.secrets.keyshareSecret.encodedBytes == secrets.keyshareSecret.encodedBytes)
        #expect(record.secrets.publicKey?.subjectPublicKeyInfo == secrets.publicKey?.subjectPublicKeyInfo)
        #expect(try await stretcher().isRight(try PaddedPIN("cGlu\n"), for: record.secrets.pin))
        #expect(try await !stretcher().isRight(try PaddedPIN("cGlv\n"), for: record.secrets.pin))
        // Each PIN has a salt of its own.
        #expect(try seal().seal(try await stretchedSecrets(), of: "alice") != bytes)
    }

    @Test func bindsItsOwnRecordsToTheirAccounts() async throws {
        let bytes = try seal().seal(try await stretchedSecrets(), of: "alice")
        #expect(code { _ = try seal().open(bytes, of: "bob") } == .damagedRecord)
    }

    @Test func refusesDamagedRecords() async throws {
        let own = try seal().seal(try await stretchedSecrets(), of: "alice")
        for bytes in [own, try ReferenceRecord.bytes(ReferenceRecord.old)] {
            for position in bytes.indices {
                var damaged = bytes
                damaged[position] ^= 1
                let expected: KeyshareServerError.Code = position < 4 ? .unknownStorageKey : .damagedRecord
                #expect(code { _ = try seal().open(damaged, of: "alice") } == expected, "\(position)")
            }
            for count in [0, 3, 4, 16, 17, bytes.count - 1] {
                #expect(code { _ = try seal().open(Array(bytes.prefix(count)), of: "alice") } == .damagedRecord)
            }
        }
    }

    /// Records that a key holder could have sealed, and no server does.
    @Test func refusesContentThatNoRecordHas() throws {
        let good = try seal().open(try ReferenceRecord.bytes(ReferenceRecord.new), of: "").secrets.encoded()
        #expect(throws: Never.self) { try UserSecrets(decoding: good, form: .reference) }
        #expect(code { _ = try UserSecrets(decoding: good, form: .stretched) } == .damagedRecord)
        // Members of other lengths: the length of the PIN, of the secret, of the identifier, of the key.
        for (old, new) in [("Pin", "Pim"), ("ID", "IE"), ("KeyshareSecret", "KeyshareSecreu")] {
            let text = String(decoding: good, as: Unicode.ASCII.self)
            #expect(text.contains(old))
            var changed = good
            let range = try #require(changed.firstRange(of: Array(old.utf8)))
            changed.replaceSubrange(range, with: Array(new.utf8))
            #expect(code { _ = try UserSecrets(decoding: changed, form: .reference) } == .damagedRecord)
        }
        for bytes: [UInt8] in [[], [0xa0], [0x80], Array(good.dropLast()), good + [0]] {
            #expect(code { _ = try UserSecrets(decoding: bytes, form: .reference) } == .damagedRecord)
        }
    }

    @Test func readsWithEveryKeyAndWritesWithOne() async throws {
        let newer = StorageKey.random(id: 9, using: random)
        let ring = try seal(newer)
        let old = try ring.open(try ReferenceRecord.bytes(ReferenceRecord.old), of: "alice")
        #expect(ring.isOutdated(old, form: .stretched) && ring.isOutdated(old, form: .reference))
        let bytes = try ring.seal(old.secrets, of: "alice")
        #expect(Array(bytes.prefix(4)) == [9, 0, 0, 0])
        let new = try ring.open(bytes, of: "alice")
        #expect(ring.isOutdated(new, form: .stretched) && !ring.isOutdated(new, form: .reference))
        #expect(code { _ = try seal().open(bytes, of: "alice") } == .unknownStorageKey)
    }

    @Test func readsAndWritesStorageKeys() throws {
        let file = try ReferenceRecord.bytes(ReferenceRecord.keyFile)
        let key = try StorageKey(decoding: file)
        #expect(key.id == 0x1234_5678 && exposed(key.encodedBytes) == file)
        for count in [0, 4, 32, 35, 37] {
            #expect(code { _ = try StorageKey(decoding: [UInt8](repeating: 1, count: count)) } == .invalidStorageKey)
        }
        #expect(code { _ = try StorageKey(id: 1, key: SecretBytes([1])) } == .invalidStorageKey)
        let other = StorageKey.random(id: key.id, using: random)
        #expect(code { _ = try StorageKeyring(writing: key, reading: [other]) } == .invalidStorageKey)
        #expect(try StorageKeyring(writing: key, reading: [key]).writing.id == key.id)
    }

    @Test func padsPINs() throws {
        #expect(exposed(try PaddedPIN("ab").bytes) == [UInt8](repeating: 0, count: 62) + [0x61, 0x62])
        #expect(try PaddedPIN(String(repeating: "a", count: 64)).bytes.count == 64)
        for text in ["", String(repeating: "a", count: 65)] {
            #expect(code { _ = try PaddedPIN(text) } == .invalidPIN)
        }
    }

    private func code(_ body: () throws -> Void) -> KeyshareServerError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? KeyshareServerError)?.code
        }
    }
}
