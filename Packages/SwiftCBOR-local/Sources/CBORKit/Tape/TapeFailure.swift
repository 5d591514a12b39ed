/// The failure of the tape builder: a few numbers, put into words only at the end.
struct TapeFailure: Error {
    let reason: Reason
    /// The byte that is wrong, from the start of the input.
    let position: Int
    /// The index of the entry of the item that is wrong; one past the last if the item could not begin.
    let entry: Int
    /// The argument of the reason: a claimed length, a tag number, the number of trailing bytes.
    let argument: UInt64

    init(_ reason: Reason, position: Int, entry: Int, argument: UInt64 = 0) {
        self.reason = reason
        self.position = position
        self.entry = entry
        self.argument = argument
    }

    enum Reason {
        case missingItem, truncatedHead, unfinishedChunks, shortArray, shortMap, shortString
        case reserved, unexpectedBreak, invalidChunk, invalidSimpleValue, invalidUTF8, trailingBytes
        case tooLong, tooDeep, tooManyItems, longString, nestedKeys
        case duplicateKey, keyOrder
        case notShortest, indefiniteLength, floatNotShortest, bignumNotNeeded
        case integralFloat, integerNotInDCBOR, simpleValueNotInDCBOR, notNormalized
        case tagNotAllowed, simpleValueNotAllowed, tagContent
    }
}
