/// Takes a result so that the optimiser cannot leave out the work that made it.
@inline(never)
public func blackHole<Value>(_ value: Value) {
    withExtendedLifetime(value) {}
}
