import CryptoCore
import IRMAMessages

extension WalletVault {
    /// Notes a session down that changed nothing else.
    func append(_ entry: SessionLogEntry) async throws(WalletError) -> SessionLogEntry {
        await lock()
        defer { unlock() }
        return try await write([], noting: entry)
    }

    /// Makes changes, together with an entry of the log.
    func write(
        _ changes: [WalletChange],
        noting entry: SessionLogEntry
    ) async throws(WalletError) -> SessionLogEntry {
        var entry = entry
        var attempt = 1
        while true {
            do throws(WalletError) {
                try await store.write(changes + [try logChange(&entry)])
                nextLogNumber += 1
                return entry
            } catch {
                // Another wallet over the same store has used the number.
                guard error.code == .storageConflict, attempt < 3 else { throw error }
                attempt += 1
                nextLogNumber = (try await store.places(in: .log).last.flatMap { Self.number(of: $0) } ?? 0) + 1
            }
        }
    }

    /// Entries of the log, the newest first.
    func log(before number: UInt64?, limit: Int) async throws(WalletError) -> [SessionLogEntry] {
        var entries: [SessionLogEntry] = []
        for place in try await store.places(in: .log).reversed() {
            guard entries.count < limit else { break }
            guard let own = Self.number(of: place), number.map({ own < $0 }) ?? true,
                let value = try await store.value(at: place)
            else { continue }
            do throws(IRMAError) {
                var entry = try SessionLogEntry(decoding: value.withUnsafeBytes { [UInt8]($0) })
                entry.number = own
                entries.append(entry)
            } catch {
                throw WalletError(.storageDamaged, "the value is no entry of the log", path: ["log"], cause: error)
            }
        }
        return entries
    }

    private func logChange(_ entry: inout SessionLogEntry) throws(WalletError) -> WalletChange {
        entry.number = nextLogNumber
        let key = withUnsafeBytes(of: nextLogNumber.bigEndian) { Array($0) }
        let written = entry
        let bytes = try WalletError.converting { () throws(IRMAError) in try written.encodedBytes() }
        return .insert(WalletPlace(.log, key: key), SecretBytes(bytes))
    }

    static func number(of place: WalletPlace) -> UInt64? {
        guard place.key.count == 8 else { return nil }
        return place.key.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
