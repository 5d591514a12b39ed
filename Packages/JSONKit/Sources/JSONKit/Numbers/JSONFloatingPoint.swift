/// A binary floating-point type that numbers can be read as.
protocol JSONFloatingPoint: BinaryFloatingPoint, LosslessStringConvertible {}

extension Double: JSONFloatingPoint {}
extension Float: JSONFloatingPoint {}
