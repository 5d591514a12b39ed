extension JSONTapeBuilder {
    /// Makes room for an item that starts at an offset in a text of a size, or refuses it as one value too many; the items, and
    /// the number of them at which to come here again.
    ///
    /// That is before there can be too many values: counting them as they come costs more.
    @inline(never)
    static func makeRoom(
        in items: JSONTapeItems,
        for kind: JSONTapeItem.Kind,
        at offset: Int,
        of size: Int,
        _ limits: JSONLimits
    ) throws(JSONFailure) -> (JSONTapeItems, checkpoint: Int) {
        let values = (0..<items.count).count { !items[$0].isName }
        let valuesLeft = mostValues(limits) - values
        guard valuesLeft > 0 || kind == .name || kind == .escapedName else {
            throw JSONFailure(code: .valueLimit, offset: offset)
        }
        let roomy =
            items.count < items.capacity
            ? items : items.moved(toRoomFor: likelyCount(items.count, at: offset, of: size, limits))
        return (roomy, min(roomy.capacity, items.count + max(valuesLeft, 1)))
    }

    /// The number of items that a text has if it goes on as it began, plus a tenth: between two and eight times the present number,
    /// and no more than the limit of values lets in.
    private static func likelyCount(_ count: Int, at offset: Int, of size: Int, _ limits: JSONLimits) -> Int {
        let likely = Double(count) * Double(size) / Double(max(offset, 1)) * 1.1
        let expected = Int(min(max(likely, Double(2 * count)), Double(8 * count)))
        return max(min(expected, 2 * mostValues(limits) + 4), count + 1)
    }
}
