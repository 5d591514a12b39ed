import IdemixCore
import Synchronization

/// The public keys of a scheme's issuers, read from their files when they are first needed.
///
/// A scheme of hundreds of keys then loads in the time that its digests take. A file was verified when the scheme was;
/// one that is still not a key is an unknown key.
final class IssuerKeys: Sendable {
    private struct Name: Hashable {
        let issuer: IssuerIdentifier
        let counter: UInt
    }

    private enum Entry {
        case file([UInt8])
        case key(IdemixIssuerPublicKey)
        case invalid
    }

    private let entries: Mutex<[Name: Entry]>
    /// The counters of each issuer's keys, in their order.
    let counters: [IssuerIdentifier: [UInt]]

    init(files: [IssuerIdentifier: [UInt: [UInt8]]]) {
        var entries: [Name: Entry] = [:]
        for (issuer, keys) in files {
            for (counter, bytes) in keys { entries[Name(issuer: issuer, counter: counter)] = .file(bytes) }
        }
        self.entries = Mutex(entries)
        counters = files.mapValues { $0.keys.sorted() }
    }

    init(keys: [IssuerIdentifier: [IdemixIssuerPublicKey]]) {
        var entries: [Name: Entry] = [:]
        for (issuer, keys) in keys {
            for key in keys { entries[Name(issuer: issuer, counter: key.counter)] = .key(key) }
        }
        self.entries = Mutex(entries)
        counters = keys.mapValues { $0.map(\.counter).sorted() }
    }

    /// The key with a counter, or nil.
    func key(of issuer: IssuerIdentifier, counter: UInt) -> IdemixIssuerPublicKey? {
        let name = Name(issuer: issuer, counter: counter)
        switch entries.withLock({ $0[name] }) {
        case nil, .invalid: return nil
        case .key(let key): return key
        case .file(let bytes):
            // Outside the lock: the numbers of a key are checked, which takes a while.
            let key = try? Self.read(bytes, counter: counter)
            entries.withLock { $0[name] = key.map { .key($0) } ?? .invalid }
            return key
        }
    }

    /// Reads every key.
    ///
    /// - Throws: ``IRMAError/Code/invalidScheme`` for a file that is not a key, or that of another counter.
    func readAll() throws(IRMAError) {
        for (issuer, counters) in counters.sorted(by: { $0.key < $1.key }) {
            for counter in counters where key(of: issuer, counter: counter) == nil {
                throw IRMAError(
                    .invalidScheme,
                    "the file is no public key with this counter",
                    path: [issuer.text, "\(counter)"]
                )
            }
        }
    }

    private static func read(_ bytes: [UInt8], counter: UInt) throws(IRMAError) -> IdemixIssuerPublicKey {
        do throws(IdemixError) {
            let key = try IdemixIssuerPublicKey(xml: bytes)
            guard key.counter == counter else { throw IdemixError(.invalidKey, "the key has another counter") }
            return key
        } catch {
            throw IRMAError(.invalidScheme, error.message, path: error.path, cause: error)
        }
    }
}
