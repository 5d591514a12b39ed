extension [UInt8] {
    /// The messages of a dialogue, for targets that take several: before each stand two bytes with its length; the last
    /// one may be shorter than it says.
    var messages: [[UInt8]] {
        var messages: [[UInt8]] = []
        var rest = self[...]
        while rest.count >= 2 {
            let length = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
            messages.append([UInt8](rest.dropFirst(2).prefix(length)))
            rest = rest.dropFirst(2 + length)
        }
        return messages
    }
}
