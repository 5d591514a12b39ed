import CBORKit

/// Everything that is done with an input from a stranger.
enum Probe {
    /// Reads in all ways and writes what was read; returns whether the bytes are one item.
    ///
    /// The test is that it returns: errors are the usual result.
    @discardableResult static func read(_ bytes: [UInt8]) -> Bool {
        var reader = CBORIncrementalReader(options: checking)
        reader.feed(bytes)
        while case .item? = try? reader.next() {}
        guard let document = try? CBORDocument(bytes, options: checking) else { return false }
        let formed = FormedCBOR(document.root)
        return formed.encoded() == bytes && !formed.value.encoded(.deterministic).isEmpty
    }

    private static let checking: CBORReadingOptions = {
        var options = CBORReadingOptions.default
        options.checksTagContent = true
        return options
    }()
}
