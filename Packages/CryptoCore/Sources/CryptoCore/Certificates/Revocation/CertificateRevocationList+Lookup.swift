extension CertificateRevocationList {
    /// Every entry, in ascending order of the serial numbers.
    public var revokedCertificates: [RevokedCertificate] { fields.entries.map(value) }

    /// The entry of a serial number, found by halving, or nil.
    func entry(for serialNumber: ArraySlice<UInt8>) -> RevokedCertificate? {
        var low = 0
        var high = fields.entries.count
        while low < high {
            let middle = (low + high) / 2
            if SerialNumberOrder.precedes(storage.bytes[fields.entries[middle].serialNumber], serialNumber) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        guard low < fields.entries.count, storage.bytes[fields.entries[low].serialNumber] == serialNumber else {
            return nil
        }
        return value(of: fields.entries[low])
    }

    private func value(of entry: RevocationListFields.Entry) -> RevokedCertificate {
        RevokedCertificate(
            serialNumber: storage.bytes[entry.serialNumber],
            revocationDate: entry.revocationDate,
            reason: entry.reason,
            invalidityDate: entry.invalidityDate
        )
    }
}

/// An order of serial numbers to search by: by length, then by octets.
enum SerialNumberOrder {
    static func precedes(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
        one.count == other.count ? one.lexicographicallyPrecedes(other) : one.count < other.count
    }
}
