import CredentialWallet
import CryptoCore
import IRMAMessages

extension WalletVault {
    /// Notes a session down that changed nothing else.
    func append(_ entry: SessionLogEntry) async throws(WalletError) -> SessionLogEntry {
        try await changing { () async throws(WalletError) in try await self.write([], noting: entry) }
    }

    /// Makes changes, together with an entry of the log.
    func write(
        _ changes: [StorageChange],
        noting entry: SessionLogEntry
    ) async throws(WalletError) -> SessionLogEntry {
        var entry = entry
        entry.number = nextLogNumber
        let key = withUnsafeBytes(of: nextLogNumber.bigEndian) { Array($0) }
        let written = entry
        let bytes = try WalletError.converting { () throws(IRMAError) in try written.encoded() }
        try await storage.write(changes + [.insert(StoragePlace(.irmaLog, key: key), SecretBytes(bytes))])
        nextLogNumber += 1
        return entry
    }

    /// Entries of the log, the newest first.
    func log(before number: UInt64?, limit: Int) async throws(WalletError) -> [SessionLogEntry] {
        var entries: [SessionLogEntry] = []
        for place in try await storage.places(in: .irmaLog).reversed() {
            guard entries.count < limit else { break }
            guard let own = Self.number(of: place), number.map({ own < $0 }) ?? true,
                let value = try await storage.entry(at: place)?.value
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

    static func number(of place: StoragePlace) -> UInt64? {
        guard place.key.count == 8 else { return nil }
        return place.key.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
