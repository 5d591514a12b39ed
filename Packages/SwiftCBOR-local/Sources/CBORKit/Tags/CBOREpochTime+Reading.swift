extension CBOREpochTime {
    /// Reads the number of seconds, an integer or a finite floating-point number.
    init(content: CBORView) throws(CBORError) {
        guard content.kind == .float else {
            self = .seconds(try content.integer())
            return
        }
        let seconds = try content.double()
        guard seconds.isFinite else { throw .outOfRange("a time", at: content) }
        self = .fractionalSeconds(seconds)
    }
}
